//! Couplers: polynomials of joint coordinates sum to a constant. Equations: `cardan::constraint::Coupler`.

use cardan::ModelBuilder;
use cardan::constraint::{CouplerEquation, CouplerTerm};

use crate::check::{Check, CheckResult};
use crate::document::FieldPath;
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::Lower;
use crate::scene::{JointDesc, TermDesc};

pub(crate) struct Coupler;

impl JointKindSpec for Coupler {
    fn name(&self) -> &'static str {
        "coupler"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["terms", "offset", "equations"]
    }
    fn has_two_ends(&self) -> bool {
        false
    }

    fn check(
        &self,
        check: &Check<'_>,
        NamedJoint { path, desc: coupler, .. }: &NamedJoint<'_>,
    ) -> CheckResult {
        if let Some(terms) = &coupler.terms {
            if coupler.equations.is_some() {
                let message = "give `terms` or `equations`, not both".to_string();
                let help = Some("`terms` are those of one equation".to_string());
                return Err(check.misplaced(path, "equations", message, help));
            }
            return check_terms(check, path, &path.join("terms"), terms);
        }
        let example =
            "what is summed: terms = [{ joint = \"A\", factor = 2 }, { joint = \"B\", factor = -1 }]";
        check.given(path, "terms", coupler.equations.is_some(), example)?;
        if coupler.offset.is_some() {
            let help = Some("every equation has its own `offset`".to_string());
            let message = "`offset` does not belong to a coupler with `equations`".to_string();
            return Err(check.misplaced(path, "offset", message, help));
        }
        let equations = coupler.equations.as_deref().unwrap_or_default();
        if equations.is_empty() {
            let help = "give one or more: equations = [{ terms = […] }, …]";
            return Err(check.bad(path.join("equations"), "the coupler couples nothing", help));
        }
        for (i, equation) in equations.iter().enumerate() {
            check_terms(check, path, &path.join("equations").join(i).join("terms"), &equation.terms)?;
        }
        Ok(())
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        at.couple(parts, self.name(), equations(lower, &at.path, at.desc)?);
        Ok(())
    }
}

fn check_terms(check: &Check<'_>, path: &FieldPath, at: &FieldPath, terms: &[TermDesc]) -> CheckResult {
    if terms.is_empty() {
        let help = "give one or more: terms = [{ joint = \"A\", factor = 2 }, …]";
        return Err(check.bad(at.clone(), "the coupler couples nothing", help));
    }
    for (i, term) in terms.iter().enumerate() {
        let at = at.join(i);
        check.known_joint(path, at.join("joint"), &term.joint)?;
        if term.factor.is_some() && term.polynomial.is_some() {
            let message = "give `factor` or `polynomial`, not both".to_string();
            let help = Some("a factor f is the polynomial [0, f]".to_string());
            return Err(check.misplaced(&at, "polynomial", message, help));
        }
        if term.factor.is_some_and(|factor| factor.0 == 0.0) {
            let help = "leave out a joint that does not take part";
            return Err(check.bad(at.join("factor"), "a factor cannot be zero", help));
        }
        if term.polynomial.as_ref().is_some_and(|p| p.iter().skip(1).all(|c| c.0 == 0.0)) {
            let message = "a polynomial that does not change with its joint couples nothing";
            let help = "leave out a joint that does not take part; [0, 2] is twice the coordinate, and a constant is the `offset`";
            return Err(check.bad(at.join("polynomial"), message, help));
        }
        let same = |other: &TermDesc| other.joint == term.joint && other.coordinate == term.coordinate;
        if terms[..i].iter().any(same) {
            let message = format!("coordinate {} of `{}` is summed twice", term.coordinate, term.joint);
            return Err(check.bad(at, message, "name it once, with the sum of both"));
        }
    }
    Ok(())
}

fn equations(
    lower: &Lower<'_>,
    path: &FieldPath,
    desc: &JointDesc,
) -> Result<Vec<CouplerEquation>, SceneError> {
    if let Some(terms) = &desc.terms {
        let terms = terms_of(lower, &path.join("terms"), terms)?;
        return Ok(vec![CouplerEquation { terms, offset: desc.offset.map(f64::from) }]);
    }
    let mut all = Vec::new();
    for (i, equation) in desc.equations.iter().flatten().enumerate() {
        let terms = terms_of(lower, &path.join("equations").join(i).join("terms"), &equation.terms)?;
        all.push(CouplerEquation { terms, offset: equation.offset.map(f64::from) });
    }
    Ok(all)
}

fn terms_of(lower: &Lower<'_>, path: &FieldPath, terms: &[TermDesc]) -> Result<Vec<CouplerTerm>, SceneError> {
    let term = |(i, term): (usize, &TermDesc)| {
        let path = path.join(i);
        let at = if term.coordinate > 0 { "coordinate" } else { "joint" };
        let (joint, _) = lower.coupled(&path.join(at), &term.joint, term.coordinate)?;
        let polynomial = match &term.polynomial {
            Some(polynomial) => polynomial.iter().map(|p| p.0).collect(),
            None => vec![0.0, term.factor.map_or(1.0, f64::from)],
        };
        Ok(CouplerTerm { joint, coordinate: term.coordinate as usize, polynomial })
    };
    let terms: Vec<CouplerTerm> = terms.iter().enumerate().map(term).collect::<Result<_, SceneError>>()?;
    if terms.iter().all(|t| t.polynomial.iter().skip(1).all(|p| *p == 0.0)) {
        let message = "the sum has no coordinate";
        return Err(lower.bad(
            path.clone(),
            message,
            "give a `factor` that is not zero, or a `polynomial` with more than a constant",
        ));
    }
    Ok(terms)
}
