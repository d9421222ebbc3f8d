//! Owns the sentences about calls that cannot be read: they name the field or parameter at fault and say what it must be, in
//! no library's words.

use axum::extract::rejection::QueryRejection;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use crate::base::error::AppError;

/// A multipart body without a boundary, or one of another type.
pub const NO_MULTIPART: &str = "The body must be multipart/form-data with a boundary";

/// A multipart body that breaks its own form.
pub const BROKEN_MULTIPART: &str = "The body is not valid multipart/form-data";

/// A call for a WebSocket that asks for none.
pub const NO_WEBSOCKET: &str = "This address takes WebSocket connections only";

/// The query cannot be read.
pub fn query(rejection: &QueryRejection) -> AppError {
    let said = rejection.body_text();
    let why = said
        .split_once("query string: ")
        .map_or(said.as_str(), |it| it.1);
    let text = match about_field("", why) {
        Some(text) => text,
        None => match leading_field(why) {
            Some((name, _)) => format!("`{name}` is not valid"),
            None => "The query cannot be read".to_owned(),
        },
    };
    AppError::Malformed(text)
}

/// The body is no JSON.
pub fn syntax(text: &str, error: &serde_json::Error) -> AppError {
    if text.trim().is_empty() {
        return AppError::Malformed("The body must be JSON, and is empty".to_owned());
    }
    let (line, column) = (error.line(), error.column());
    AppError::Malformed(format!(
        "The body is not valid JSON at line {line}, column {column}"
    ))
}

/// Reads JSON; fails with the sentence about the value that has another form. `field` is where the text stands in the body,
/// empty for all of it.
pub fn read_json<T: DeserializeOwned>(field: &str, text: &str) -> Result<T, String> {
    serde_json::from_str(text)
        .map_err(|error| sentence(field, path_of::<T>(text), &error.to_string(), text))
}

/// The way to the value that cannot be read. The text is read again for it, which only those wait for who sent it.
fn path_of<T: DeserializeOwned>(text: &str) -> Vec<String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let Err(error) = serde_path_to_error::deserialize::<_, T>(&mut reader) else {
        return Vec::new();
    };
    let parts = error.path().iter().filter_map(|it| match it {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    parts.collect()
}

/// Words an error of serde about the value at this path of the text for a person.
fn sentence(field: &str, mut path: Vec<String>, said: &str, text: &str) -> String {
    let mut said = without_place(said);
    // The core reads some values apart, and names the field at fault in front.
    while let Some((field, why)) = leading_field(said) {
        path.push(field.to_owned());
        said = without_place(why);
    }
    let name = match (field, path.join(".")) {
        ("", path) => path,
        (field, path) if path.is_empty() => field.to_owned(),
        (field, path) => format!("{field}.{path}"),
    };
    if let Some(sentence) = about_field(&name, said) {
        return sentence;
    }
    let whole = match name.as_str() {
        "" => "The body".to_owned(),
        name => format!("`{name}`"),
    };
    // Of a list that the core reads apart the item at fault is not known.
    let is_item = || {
        let is_of_list = ["invalid type: sequence", "invalid length"];
        !is_of_list.iter().any(|it| said.starts_with(it)) && is_list(text, &path)
    };
    match expected(said) {
        Some(expected) if expected != A_LIST && is_item() => {
            format!("Each of {whole} must be {expected}")
        }
        Some(expected) => format!("{whole} must be {expected}"),
        None => format!("{whole} is not valid"),
    }
}

fn is_list(text: &str, path: &[String]) -> bool {
    let whole = serde_json::from_str::<Value>(text).unwrap_or_default();
    let value = path.iter().try_fold(&whole, |value, part| match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        value => value.get(part),
    });
    value.is_some_and(Value::is_array)
}

/// `text at line 1 column 4` without the place, which may be said several times.
fn without_place(said: &str) -> &str {
    let mut said = said;
    while let Some((before, place)) = said.rsplit_once(" at line ") {
        let is_place = place
            .split(" column ")
            .all(|it| it.bytes().all(|it| it.is_ascii_digit()));
        if !is_place {
            break;
        }
        said = before;
    }
    said
}

/// `field: why` in its two parts.
fn leading_field(said: &str) -> Option<(&str, &str)> {
    let (field, why) = said.split_once(": ")?;
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    field.chars().all(is_name).then_some((field, why))
}

/// The sentence where a field of an object is missing, given twice or not known.
fn about_field(path: &str, said: &str) -> Option<String> {
    for (begin, what) in [
        ("missing field ", "is missing"),
        ("duplicate field ", "is given twice"),
        ("unknown field ", "is not known"),
    ] {
        if let Some(rest) = said.strip_prefix(begin) {
            let name = rest.split(", expected ").next().unwrap_or_default();
            let name = name.trim_matches('`');
            let dot = if path.is_empty() { "" } else { "." };
            return Some(format!("`{path}{dot}{name}` {what}"));
        }
    }
    None
}

const A_LIST: &str = "a list";

/// The form that a value must have, by what serde or the core says that it expects.
fn expected(said: &str) -> Option<&str> {
    let of_text = said.strip_prefix("not ");
    let of_value = || said.rsplit_once(", expected ").map(|it| it.1);
    let expected = of_text.or_else(|| said.strip_prefix("expected "));
    let expected = expected.or_else(of_value)?;
    Some(match expected {
        "a string" | "a borrowed string" | "string" | "str" => "a text",
        "a boolean" => "true or false",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a map" | "map" => "an object",
        "a sequence" | "sequence" => A_LIST,
        "an id" => "a UUID",
        "a valid date" => "a date, such as 2026-11-20",
        "a valid time" => "a time, such as 09:30",
        "a valid date and time" => "a date and time, such as 2026-11-20T09:30:00.000Z",
        // The name of a type.
        name if name.starts_with("struct ") || name.starts_with(char::is_uppercase) => "an object",
        // Ours, and the codes of an enum.
        words
            if ["a ", "an ", "one of ", "`"]
                .iter()
                .any(|it| words.starts_with(it)) =>
        {
            words
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use walkies_core::rows::walk_request::RequestStatus;
    use walkies_core::{Cents, Date, Id, Instant, Time};

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only ever refused")]
    struct Sent {
        name: String,
        #[serde(default)]
        count: u32,
        #[serde(default)]
        share: f64,
        is_new: Option<bool>,
        id: Option<Id>,
        date: Option<Date>,
        time: Option<Time>,
        at: Option<Instant>,
        price: Option<Cents>,
        status: Option<RequestStatus>,
        #[serde(default)]
        parts: Vec<Part>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only ever refused")]
    struct Part {
        kind: Kind,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Walk,
        Dropin,
    }

    #[track_caller]
    fn refused(json: &str, sentence: &str) {
        assert_eq!(read_json::<Sent>("", json).unwrap_err(), sentence, "{json}");
    }

    #[test]
    fn a_sentence_names_the_field_and_what_it_must_be() {
        for (fields, sentence) in [
            (r#""name":5"#, "`name` must be a text"),
            (r#""name":null"#, "`name` must be a text"),
            (r#""name":"","name":"""#, "`name` is given twice"),
            (r#""count":-1"#, "`count` must be a whole number, 0 or more"),
            (
                r#""count":12.5"#,
                "`count` must be a whole number, 0 or more",
            ),
            (r#""share":"half""#, "`share` must be a number"),
            (r#""is_new":"yes""#, "`is_new` must be true or false"),
            (r#""id":"7""#, "`id` must be a UUID"),
            (
                r#""date":"soon""#,
                "`date` must be a date, such as 2026-11-20",
            ),
            (r#""time":"9""#, "`time` must be a time, such as 09:30"),
            (
                r#""at":"now""#,
                "`at` must be a date and time, such as 2026-11-20T09:30:00.000Z",
            ),
            (r#""price":"much""#, "`price` must be a number"),
            (
                r#""price":0.001"#,
                "`price` must be an amount in whole cents",
            ),
            (r#""price":1e300"#, "`price` must be a smaller amount"),
            (
                r#""status":"lost""#,
                "`status` must be one of `pending`, `approved`, `declined`, `completed`",
            ),
            (r#""parts":{}"#, "`parts` must be a list"),
            (r#""parts":[7]"#, "`parts.0` must be an object"),
            (
                r#""parts":[{"kind":"walk"},{}]"#,
                "`parts.1.kind` is missing",
            ),
            (
                r#""parts":[{"kind":", expected a stay"}]"#,
                "`parts.0.kind` must be `walk` or `dropin`",
            ),
        ] {
            let other = if fields.starts_with("\"name\"") {
                ""
            } else {
                r#""name":"","#
            };
            refused(&format!("{{{other}{fields}}}"), sentence);
        }
        refused("{}", "`name` is missing");
        refused("[]", "The body must be an object");
        refused("7", "The body must be an object");
    }

    #[test]
    fn a_field_is_named_from_the_body_on() {
        let refused = read_json::<Vec<Part>>("dogs", r#"[{"kind":5}]"#).unwrap_err();
        assert_eq!(refused, "`dogs.0.kind` is not valid");
    }

    #[test]
    fn the_core_names_a_field_that_it_reads_apart() {
        for (said, text) in [
            (
                "id: not an id at line 1 column 3 at line 1 column 60",
                "`walk.id` must be a UUID",
            ),
            (
                "missing field id at line 1 column 60",
                "`walk.id` is missing",
            ),
            ("unknown kind flight", "`walk` is not valid"),
        ] {
            assert_eq!(sentence("", vec!["walk".to_owned()], said, "{}"), text);
        }
    }

    #[test]
    fn a_body_that_is_no_json_is_told_where() {
        for (text, sentence) in [
            (" ", "The body must be JSON, and is empty"),
            (
                "{\"a\":\n x}",
                "The body is not valid JSON at line 2, column 2",
            ),
        ] {
            let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
            let AppError::Malformed(said) = syntax(text, &error) else {
                panic!("another refusal");
            };
            assert_eq!(said, sentence);
        }
    }
}
