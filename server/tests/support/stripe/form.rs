//! Owns how Stripe reads a form: names with brackets are places in a tree, and a name that it does not know is an error.

use serde_json::{Map, Value, json};

/// Names and values, decoded.
pub fn pairs(encoded: &str) -> Vec<(String, String)> {
    let url = reqwest::Url::parse(&format!("http://127.0.0.1/?{encoded}")).unwrap();
    let pairs = url.query_pairs().filter(|(name, _)| !name.is_empty());
    pairs
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

/// The tree of a form; else the name that is none of `known`.
pub fn read(encoded: &str, known: &Value) -> Result<Value, String> {
    let mut tree = json!({});
    for (name, value) in pairs(encoded) {
        let path: Vec<&str> = name.split(['[', ']']).filter(|it| !it.is_empty()).collect();
        if !is_known(&path, known) {
            return Err(name);
        }
        put(&mut tree, &path, value);
    }
    Ok(tree)
}

fn is_known(path: &[&str], known: &Value) -> bool {
    match (path, known) {
        ([], _) => true,
        ([at, rest @ ..], Value::Array(items)) => {
            at.parse::<usize>().is_ok() && is_known(rest, &items[0])
        }
        ([name, rest @ ..], Value::Object(fields)) => {
            fields.get(*name).is_some_and(|it| is_known(rest, it))
        }
        ([_], Value::String(kind)) => kind == "map",
        _ => false,
    }
}

fn put(tree: &mut Value, path: &[&str], value: String) {
    match path {
        [] => *tree = Value::String(value),
        [name, rest @ ..] => {
            if let Ok(at) = name.parse::<usize>() {
                if !tree.is_array() {
                    *tree = json!([]);
                }
                let items = tree.as_array_mut().unwrap();
                while items.len() <= at {
                    items.push(json!({}));
                }
                put(&mut items[at], rest, value);
            } else {
                if !tree.is_object() {
                    *tree = Value::Object(Map::new());
                }
                let fields = tree.as_object_mut().unwrap();
                put(fields.entry(*name).or_insert(json!({})), rest, value);
            }
        }
    }
}
