//! The nearest known name to a misspelt one.

/// The candidate that a typing error most likely turned into `name`, or nothing if none is close. Distance: insertions,
/// deletions, substitutions and swaps of neighbours (restricted Damerau–Levenshtein), case ignored; at most a third of the
/// length. Failing that, one that starts like it (`dens` for `density`, `body` for `bodies`). The first of equals wins.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    const LONGEST: usize = 64;
    let fold = |text: &str| {
        text.chars().flat_map(char::to_lowercase).map(|c| if c == '_' { '-' } else { c }).collect()
    };
    let name: Vec<char> = if name.len() <= 4 * LONGEST { fold(name) } else { return None };
    if name.len() > LONGEST || name.is_empty() {
        return None;
    }
    let most = (name.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    let mut start: Option<&str> = None;
    for candidate in candidates {
        if candidate.len() > 4 * LONGEST {
            continue;
        }
        let letters: Vec<char> = fold(candidate);
        let common = name.iter().zip(&letters).take_while(|(a, b)| a == b).count();
        if start.is_none() && common >= 3 && common + 1 >= name.len() {
            start = Some(candidate);
        }
        let bound = best.map_or(most, |(distance, _)| distance.saturating_sub(1));
        if letters.len().abs_diff(name.len()) > bound {
            continue;
        }
        let distance = distance(&name, &letters);
        // A one-letter name is not the misspelling of another.
        if distance <= bound && (distance < name.len().max(letters.len())) {
            best = Some((distance, candidate));
            if distance == 0 {
                break;
            }
        }
    }
    best.map(|(_, candidate)| candidate).or(start)
}

fn distance(a: &[char], b: &[char]) -> usize {
    let (mut before, mut above, mut row) =
        (vec![0; b.len() + 1], Vec::from_iter(0..=b.len()), vec![0; b.len() + 1]);
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (above[j] + 1).min(row[j - 1] + 1).min(above[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn typing_errors_find_their_way_back() {
        let names = ["mass", "position", "velocity", "angular_velocity", "orientation"];
        for (typed, meant) in [
            ("mas", "mass"),
            ("postion", "position"),
            ("angular-velocity", "angular_velocity"),
            ("Mass", "mass"),
            ("amss", "mass"),
            ("orient", "orientation"),
        ] {
            assert_eq!(nearest(typed, names), Some(meant), "{typed}");
        }
        for typed in ["", "x", "colour", "friction"] {
            assert_eq!(nearest(typed, names), None, "{typed}");
        }
    }
}
