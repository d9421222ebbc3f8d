//! Owns what goes out to JavaScript: as JSON, declared in TypeScript by the Rust type that it was.

#[cfg(any(
    feature = "core",
    feature = "walk",
    feature = "map",
    feature = "analytics",
    feature = "import"
))]
use std::borrow::Borrow;
use std::marker::PhantomData;

use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::convert::{IntoWasmAbi, OptionIntoWasmAbi};
use wasm_bindgen::describe::{NAMED_EXTERNREF, WasmDescribe, inform};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const ANSWER: &str = r#"
export type Answer<T, E> = { status: "ok"; value: T } | { status: "rejected"; error: E };
"#;

/// Result of a rule, with its error as data for the screen.
#[cfg(any(
    feature = "core",
    feature = "walk",
    feature = "map",
    feature = "import"
))]
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Answer<T, E> {
    /// The rule allows it.
    Ok {
        /// The rule's result.
        value: T,
    },
    /// The rule does not allow it.
    Rejected {
        /// Reason for which it may not be.
        error: E,
    },
}

/// A `T` as plain objects, arrays, numbers and nulls: what JSON has and the store can keep. `[T]` is a list of them.
pub struct Json<T: ?Sized>(JsValue, PhantomData<T>);

/// A value for JavaScript.
pub(super) fn to_js<T: TypeScript + Serialize>(value: &T) -> Result<Json<T>, JsError> {
    Json::of(value)
}

/// Values for JavaScript, or references to some.
#[cfg(any(
    feature = "core",
    feature = "walk",
    feature = "map",
    feature = "analytics",
    feature = "import"
))]
pub(super) fn list_to_js<T: Tsify, I: Borrow<T> + Serialize>(
    items: &[I],
) -> Result<Json<[T]>, JsError> {
    Json::of(items)
}

/// Converts the result of a rule for JavaScript.
#[cfg(any(
    feature = "core",
    feature = "walk",
    feature = "map",
    feature = "import"
))]
pub(super) fn answer<T: Tsify + Serialize, E: Tsify + Serialize>(
    result: Result<T, E>,
) -> Result<Json<Answer<T, E>>, JsError> {
    to_js(&match result {
        Ok(value) => Answer::Ok { value },
        Err(error) => Answer::Rejected { error },
    })
}

impl<T: ?Sized> Json<T> {
    fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, JsError> {
        let value = js_sys::JSON::parse(&serde_json::to_string(value)?);
        let value = value.map_err(|_| JsError::new("not JSON"))?;
        Ok(Self(value, PhantomData))
    }
}

impl<T: TypeScript + ?Sized> IntoWasmAbi for Json<T> {
    type Abi = <JsValue as IntoWasmAbi>::Abi;

    fn into_abi(self) -> Self::Abi {
        self.0.into_abi()
    }
}

impl<T: TypeScript + ?Sized> OptionIntoWasmAbi for Json<T> {
    fn none() -> Self::Abi {
        JsValue::none()
    }
}

/// A type that has a name in TypeScript.
pub trait TypeScript {
    /// Parts of that name, to be joined.
    const NAME: &'static [&'static str];
}

impl<T: Tsify> TypeScript for T {
    const NAME: &'static [&'static str] = &[declared_name(T::DECL)];
}

impl<T: Tsify> TypeScript for [T] {
    const NAME: &'static [&'static str] = &[declared_name(T::DECL), "[]"];
}

#[cfg(any(
    feature = "core",
    feature = "walk",
    feature = "map",
    feature = "import"
))]
impl<T: Tsify, E: Tsify> TypeScript for Answer<T, E> {
    const NAME: &'static [&'static str] = &[
        "Answer<",
        declared_name(T::DECL),
        ", ",
        declared_name(E::DECL),
        ">",
    ];
}

/// The name in `export interface Name {` or `export type Name =`, as tsify declares it after its comment.
#[expect(
    clippy::indexing_slicing,
    reason = "only constants are made with it: what is out of bounds does not compile"
)]
const fn declared_name(declaration: &str) -> &str {
    let text = declaration.as_bytes();
    let mut start = 0;
    if text[0] == b'/' {
        while text[start] != b'*' || text[start + 1] != b'/' {
            start += 1;
        }
    }
    let mut n_spaces = 0;
    while n_spaces < 2 {
        n_spaces += (text[start] == b' ') as u32;
        start += 1;
    }
    let mut end = start;
    while text[end].is_ascii_alphanumeric() {
        end += 1;
    }
    declaration.split_at(end).0.split_at(start).1
}

/// How many letters a name has.
const fn length(mut parts: &[&str]) -> u32 {
    let mut length = 0;
    while let [first, rest @ ..] = parts {
        length += first.len() as u32;
        parts = rest;
    }
    assert!(length <= MAX_LETTERS);
    length
}

/// A letter of a name; 0 behind its end.
const fn letter(mut parts: &[&str], mut at: usize) -> u32 {
    while let [first, rest @ ..] = parts {
        if let Some((_, [letter, ..])) = first.as_bytes().split_at_checked(at) {
            return *letter as u32;
        }
        at -= first.len();
        parts = rest;
    }
    0
}

const MAX_LETTERS: u32 = 48;

/// wasm-bindgen runs this without the module's data, so that a loop over the letters would find none.
macro_rules! inform_of_letters {
    ($name:expr, $($at:literal)*) => {
        $(if $at < const { length($name) } {
            inform(const { letter($name, $at) });
        })*
    };
}

impl<T: TypeScript + ?Sized> WasmDescribe for Json<T> {
    fn describe() {
        inform(NAMED_EXTERNREF);
        inform(const { length(T::NAME) });
        inform_of_letters!(
            T::NAME, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
            32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
        );
    }
}
