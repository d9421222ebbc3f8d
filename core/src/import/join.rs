//! Owns two files as one: the rows of a file of clients, each with the rows of a file of pets that name it in a column.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::table::{Table, TableRow};
use crate::values::bounds::{IMPORT_COLUMNS, IMPORT_ROWS};
use crate::values::json::read_by_field;

/// Two files, and the columns by which their rows belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Join {
    /// The file of clients.
    pub owners: Table,
    /// Place of its column that tells the clients apart.
    pub owner_column: u32,
    /// The file of pets.
    pub pets: Table,
    /// Place of its column that names the client.
    pub pet_column: u32,
}

read_by_field!(Join {
    owners,
    owner_column,
    pets,
    pet_column
});

/// Two files as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// A row for each pet, with the cells of its client before its own, and one for each client without a pet; they are
    /// numbered from 1.
    pub table: Table,
    /// Number of pets whose client is not in the first file or is one of several there, or for which the table has no room.
    pub n_unmatched: u32,
    /// Some of their rows, at most three, in words.
    pub unmatched: Vec<String>,
}

/// Most rows that are named.
const EXAMPLES: usize = 3;

/// Joins two files. Names of columns that both have get `Pet` before that of the second one.
pub fn join(request: &Join) -> Joined {
    let Join {
        owners,
        owner_column,
        pets,
        pet_column,
    } = request;
    let place = |it: u32| usize::try_from(it).unwrap_or(usize::MAX);
    let (owner_place, pet_place) = (place(*owner_column), place(*pet_column));
    let mut by_key: HashMap<String, Vec<&TableRow>> = HashMap::new();
    for row in &pets.rows {
        by_key.entry(key(row, pet_place)).or_default().push(row);
    }
    // The column for names of pets that a file without one was given, where nothing was written into it.
    let added = |table: &Table| {
        let last = table.header.len().saturating_sub(1);
        let is_empty = table
            .rows
            .iter()
            .all(|it| it.cells.get(last).is_none_or(String::is_empty));
        (is_empty && 1 < table.header.len()).then_some(last)
    };
    let pet_width = added(pets).unwrap_or(pets.header.len());
    let without_key = |cells: &[String]| -> Vec<String> {
        let cells = cells.iter().take(pet_width).enumerate();
        let others = cells.filter(|(it, _)| *it != pet_place);
        others.map(|(_, it)| it.clone()).collect()
    };
    let owner_width = added(owners).unwrap_or(owners.header.len());
    let mut header: Vec<String> = owners.header.iter().take(owner_width).cloned().collect();
    let of_pets = without_key(&pets.header).into_iter().map(|name| {
        let is_taken = owners
            .header
            .iter()
            .any(|it| it.eq_ignore_ascii_case(&name));
        if is_taken {
            ["Pet ", &name].concat()
        } else {
            name
        }
    });
    header.extend(of_pets);
    let width = header.len().min(IMPORT_COLUMNS);
    header.truncate(width);
    let mut rows: Vec<TableRow> = Vec::new();
    let mut n_left = 0_usize;
    let mut push = |mut cells: Vec<String>| {
        if IMPORT_ROWS <= rows.len() {
            return false;
        }
        cells.resize(width, String::new());
        let number = u32::try_from(rows.len() + 1).unwrap_or(u32::MAX);
        rows.push(TableRow { number, cells });
        true
    };
    let several = keys_of_several(&owners.rows, owner_place);
    for owner in &owners.rows {
        let of_owner = || {
            owner
                .cells
                .iter()
                .take(owner_width)
                .cloned()
                .collect::<Vec<String>>()
        };
        let key = key(owner, owner_place);
        // Whose of two people a pet is nobody can say but the person.
        let found = if key.is_empty() || several.contains(&key) {
            None
        } else {
            by_key.remove(&key)
        };
        for pet in found.iter().flatten() {
            let mut cells = of_owner();
            cells.extend(without_key(&pet.cells));
            n_left += usize::from(!push(cells));
        }
        if found.is_none() {
            n_left += usize::from(!push(of_owner()));
        }
    }
    let mut unmatched: Vec<&TableRow> = by_key.into_values().flatten().collect();
    unmatched.sort_unstable_by_key(|it| it.number);
    let n_unmatched = u32::try_from(unmatched.len() + n_left).unwrap_or(u32::MAX);
    let named = unmatched.iter().take(EXAMPLES).map(|it| {
        let cells: Vec<&str> = { it.cells.iter() }
            .map(|it| it.trim())
            .filter(|it| !it.is_empty())
            .take(EXAMPLES)
            .collect();
        format!("row {}: {}", it.number, cells.join(", "))
    });
    let unmatched = named.collect();
    Joined {
        table: Table {
            header,
            rows,
            ..Table::default()
        },
        n_unmatched,
        unmatched,
    }
}

/// The keys that rows of different people have; a row that is there twice is one.
fn keys_of_several(owners: &[TableRow], place: usize) -> HashSet<String> {
    let mut first: HashMap<String, &TableRow> = HashMap::new();
    let mut several = HashSet::new();
    for owner in owners {
        let key = key(owner, place);
        match first.get(&key) {
            Some(known) if known.cells != owner.cells => {
                several.insert(key);
            }
            Some(_) => {}
            None => {
                first.insert(key, owner);
            }
        }
    }
    several
}

/// The cell by which rows belong together, without what people write differently.
fn key(row: &TableRow, place: usize) -> String {
    let cell = row.cells.get(place).map(String::as_str).unwrap_or_default();
    let words: Vec<&str> = cell.split_whitespace().collect();
    words.join(" ").to_lowercase()
}
