//! A validator for the part of JSON Schema that the scene format uses; any other keyword is a panic, not a pass.

use serde_json::Value;

/// Where and why `value` does not fit the schema.
pub(crate) fn misfit(root: &Value, value: &Value) -> Option<String> {
    fits(root, root, value, "").err()
}

fn fits(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let Some(rules) = schema.as_object() else {
        return if schema == &Value::Bool(true) {
            Ok(())
        } else {
            Err(format!("{at}: nothing is allowed here"))
        };
    };
    let wrong = |why: String| Err(format!("{at}: {value} {why}"));
    for (keyword, rule) in rules {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "default" | "format" => {}
            "$ref" => {
                let pointer = rule.as_str().and_then(|r| r.strip_prefix('#')).expect("a local reference");
                let target = root.pointer(pointer).unwrap_or_else(|| panic!("no {pointer} in the schema"));
                fits(root, target, value, at)?;
            }
            "type" => {
                let names = rule.as_array().map_or(vec![rule], |list| list.iter().collect());
                if !names.iter().any(|name| is_a(value, name.as_str().expect("a type"))) {
                    return wrong(format!("is not of type {rule}"));
                }
            }
            "enum" => {
                if !rule.as_array().expect("a list").contains(value) {
                    return wrong(format!("is none of {rule}"));
                }
            }
            "const" => {
                if rule != value {
                    return wrong(format!("is not {rule}"));
                }
            }
            "anyOf" | "oneOf" => {
                let options = rule.as_array().expect("a list").iter();
                let errors: Vec<String> = options.filter_map(|o| fits(root, o, value, at).err()).collect();
                let fitting = rule.as_array().expect("a list").len() - errors.len();
                if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
                    return wrong(format!("fits {fitting} of the options: {}", errors.join("; ")));
                }
            }
            "minimum" => {
                if value.as_f64() < rule.as_f64() {
                    return wrong(format!("is below {rule}"));
                }
            }
            "minItems" | "maxItems" => {
                let n = value.as_array().map(Vec::len);
                let bound = rule.as_u64().map(|n| n as usize);
                if n.is_some() && (if keyword == "minItems" { n < bound } else { n > bound }) {
                    return wrong(format!("breaks {keyword} {rule}"));
                }
            }
            "prefixItems" => {
                let pairs =
                    rule.as_array().expect("a list").iter().zip(value.as_array().into_iter().flatten());
                for (i, (item_schema, item)) in pairs.enumerate() {
                    fits(root, item_schema, item, &format!("{at}.{i}"))?;
                }
            }
            "items" => {
                let first = rules.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                for (i, item) in value.as_array().into_iter().flatten().enumerate().skip(first) {
                    fits(root, rule, item, &format!("{at}.{i}"))?;
                }
            }
            "required" => {
                for name in rule.as_array().expect("a list") {
                    let name = name.as_str().expect("a name");
                    if value.is_object() && value.get(name).is_none() {
                        return wrong(format!("lacks `{name}`"));
                    }
                }
            }
            "properties" => {
                for (name, own) in rule.as_object().expect("a table") {
                    if let Some(item) = value.get(name) {
                        fits(root, own, item, &format!("{at}.{name}"))?;
                    }
                }
            }
            "additionalProperties" => {
                let known = rules.get("properties").and_then(Value::as_object);
                for (name, item) in value.as_object().into_iter().flatten() {
                    if known.is_none_or(|known| !known.contains_key(name)) {
                        fits(root, rule, item, &format!("{at}.{name}"))?;
                    }
                }
            }
            other => panic!("the validator does not know `{other}`"),
        }
    }
    Ok(())
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type `{other}`"),
    }
}
