//! Tests of files that other systems write, and of the limits on a file's size.

use proptest::prelude::*;
use serde_json::json;

use super::column::{Column, Target, choices, guess, read_columns, written};
use super::preview::{ImportChoice, ImportState, Preview, known_clients, preview};
use super::table::{ImportFault, Table};
use crate::rows::client::Client;
use crate::rows::pet::Pet;
use crate::values::bounds::{IMPORT_BYTES, IMPORT_CLIENTS, IMPORT_PETS, IMPORT_ROWS};
use crate::{Business, Date, Id, Instant, Row, Versioned};

fn read(text: &str) -> Table {
    Table::read(text.as_bytes()).unwrap()
}

fn rows(table: &Table) -> Vec<Vec<&str>> {
    let cells = table
        .rows
        .iter()
        .map(|it| it.cells.iter().map(String::as_str).collect());
    cells.collect()
}

fn today() -> Date {
    "2026-11-26".parse().unwrap()
}

fn previewed(table: &Table, columns: &[Option<Target>]) -> Result<Preview, ImportFault> {
    preview(table, columns, &[], &ImportChoice::default(), today())
}

fn shown(text: &str) -> Preview {
    let table = read(text);
    previewed(&table, &guess(&table.header)).unwrap()
}

fn problems(preview: &Preview) -> Vec<(u32, Option<u32>, &str)> {
    let problems = preview.clients.iter().flat_map(|it| &it.problems);
    problems
        .map(|it| (it.row, it.column, it.text.as_str()))
        .collect()
}

#[test]
fn cells_are_the_same_whatever_separates_and_encodes_them() {
    let text = "Name,Pets\r\n\"Zoë \"\"Z\"\" Müller\",\"Rex, Luna\"\r\n";
    let expected = [["Zoë \"Z\" Müller", "Rex, Luna"]];
    for separator in [';', '\t', '|'] {
        let other = text
            .replace("Name,", &format!("Name{separator}"))
            .replace("\",\"", &format!("\"{separator}\""));
        assert_eq!(rows(&read(&other)), expected, "{separator}");
    }
    assert_eq!(rows(&read(&format!("sep=,\r\n{text}"))), expected);
    let utf16 = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    let latin: Vec<u8> = text
        .chars()
        .map(|it| u8::try_from(u32::from(it)).unwrap())
        .collect();
    for bytes in [
        [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        [b"\xFF\xFE".to_vec(), utf16(u16::to_le_bytes)].concat(),
        [b"\xFE\xFF".to_vec(), utf16(u16::to_be_bytes)].concat(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
        latin,
    ] {
        assert_eq!(rows(&Table::read(&bytes).unwrap()), expected, "{bytes:?}");
    }
    // What Windows-1252 has and Latin-1 has not.
    assert_eq!(
        rows(&Table::read(b"Pets\nO\x92Hara \x80").unwrap()),
        [["O’Hara €"]]
    );
}

#[test]
fn rows_have_the_numbers_that_a_spreadsheet_shows() {
    let table = read("Pets,Notes\n\nDana,\"two\nlines\"\nSam,x\n");
    let numbers: Vec<u32> = table.rows.iter().map(|it| it.number).collect();
    assert_eq!(
        (numbers, rows(&table)),
        (
            vec![3, 4],
            vec![vec!["Dana", "two\nlines"], vec!["Sam", "x"]]
        )
    );
}

#[test]
fn a_file_that_is_none_or_too_much_says_what_to_do() {
    let most = "x\n".repeat(IMPORT_ROWS + 2);
    let wide = ["x", &",x".repeat(300)].concat();
    let many = |n: usize| {
        (0..n)
            .map(|it| format!("Client {it}\n"))
            .collect::<String>()
    };
    for (bytes, fault) in [
        (Vec::new(), ImportFault::Empty),
        (b"Name,Phone\n".to_vec(), ImportFault::Empty),
        (b"PK\x03\x04xlsx".to_vec(), ImportFault::NotText),
        (b"a,b\nc\0\0,d".to_vec(), ImportFault::NotText),
        (vec![b'x'; IMPORT_BYTES + 1], ImportFault::TooLarge),
        (most.into_bytes(), ImportFault::TooManyRows),
        (
            format!("{wide}\n{wide}").into_bytes(),
            ImportFault::TooManyColumns,
        ),
    ] {
        assert_eq!(Table::read(&bytes), Err(fault));
    }
    // More than one change brings come in pieces.
    for (n, pieces) in [
        (IMPORT_CLIENTS, vec![500]),
        (2 * IMPORT_CLIENTS + 1, vec![500, 500, 1]),
    ] {
        let table = read(&format!("Name\n{}", many(n)));
        let shown = previewed(&table, &guess(&table.header)).unwrap();
        assert_eq!(shown.pieces, pieces);
    }
    // Three pets of each of the most clients, and one more.
    assert_eq!(IMPORT_PETS, 3 * IMPORT_CLIENTS);
    for (more, pieces) in [("", vec![500]), (",Bo", vec![499, 1])] {
        let pets = "Rex,Luna,Mo";
        let clients: String = (1..IMPORT_CLIENTS)
            .map(|it| format!("Client {it},\"{pets}\"\n"))
            .collect();
        let table = read(&format!("Name,Pets\n{clients}Client 0,\"{pets}{more}\"\n"));
        let shown = previewed(&table, &guess(&table.header)).unwrap();
        assert_eq!(shown.pieces, pieces);
    }
    let text = ImportFault::TooManyPets.to_string();
    assert_eq!(
        text,
        "This file has more than 1,500 pets. Split it into smaller files."
    );
}

#[test]
fn columns_are_known_by_what_they_are_called() {
    use Column::*;
    for (called, column, pet) in [
        ("Name", Name, 0),
        ("Client Name", Name, 0),
        ("Owner", Name, 0),
        ("First Name", FirstName, 0),
        ("Owner's Last Name", LastName, 0),
        ("E-mail Address", Email, 0),
        ("Cell Phone", Phone, 0),
        ("Home Address", Address, 0),
        ("Address 2", Address, 0),
        ("City", City, 0),
        ("State/Province", State, 0),
        ("Zip Code", Zip, 0),
        ("Client's Vet", Vet, 0),
        ("Vet Phone", Vet, 0),
        ("Uses Keys", AccessNotes, 0),
        ("Alarm Code", AccessNotes, 0),
        ("Emergency Contact Phone", EmergencyContact, 0),
        ("Notes", InternalNotes, 0),
        ("House instructions", HouseInstructions, 0),
        ("Pets", PetName, 0),
        ("Pet 2 Name", PetName, 1),
        ("dog3_breed", PetBreed, 2),
        ("Pet Name(s)", PetName, 0),
        ("Born/Age", PetBirthday, 0),
        ("Species", PetType, 0),
        ("Pet Notes", InternalNotes, 0),
        ("Pet Care", PetAbout, 0),
        ("Weight (lbs)", PetWeight, 0),
    ] {
        let found = guess(&[called.to_owned()]);
        assert_eq!(found, [Some(Target { column, pet })], "{called}");
    }
    // What no field takes.
    for called in ["", "Balance", "Last Invoice", "1234"] {
        let found = guess(&[called.to_owned()]);
        let column = InternalNotes;
        assert_eq!(found, [Some(Target { column, pet: 0 })], "{called}");
    }
    for called in ["Photo", "created_at", "Phone 1 - Label"] {
        assert_eq!(guess(&[called.to_owned()]), [None], "{called}");
    }
}

#[test]
fn one_row_for_each_pet_and_several_pets_in_a_row_come_to_the_same() {
    let one = shown(
        "First,Last,Email,Pet 1 Name,Pet 1 Type,Pet 2 Name,Pet 2 Type\nDana,Hill,d@example.com,Rex,Dog,Tom,Cat\n",
    );
    let many = shown(
        "Last,First,Email,Pet,Species\nHill,Dana,d@example.com,Rex,Canine\nHill,Dana,D@example.com,Tom,Feline\nLee,Kim,,Bo,dog\n,,,Mo,cat\n",
    );
    let dana = &one.clients[0];
    assert_eq!(
        json!(dana.client),
        json!({ "name": "Dana Hill", "email": "d@example.com" })
    );
    assert_eq!(
        json!(dana.dogs),
        json!([{ "name": "Rex", "pet_type": "dog" }, { "name": "Tom", "pet_type": "cat" }])
    );
    assert_eq!(
        (&many.clients[0].client, &many.clients[0].dogs),
        (&dana.client, &dana.dogs)
    );
    assert_eq!(
        (&many.clients[0].rows, &many.clients[1].rows),
        (&vec![2, 3], &vec![4, 5])
    );
    assert_eq!(
        json!(many.clients[1].dogs),
        json!([{ "name": "Bo", "pet_type": "dog" }, { "name": "Mo", "pet_type": "cat" }])
    );
    assert_eq!((problems(&one), problems(&many)), (vec![], vec![]));
}

#[test]
fn nothing_that_somebody_wrote_is_lost_where_a_client_has_one_field_for_several_columns() {
    let found = shown(
        "Name,Home Phone,Cell Phone,Street,City,State,Zip,Alarm Code,Gate,Pets,Weight\n\
         Dana,555.010.4499,(555) 010-4500,12 Elm St,Ann Arbor,MI,48103,4711,back,\"Rex & Luna\",10 kg\n",
    );
    assert_eq!(problems(&found), []);
    assert_eq!(
        json!(found.clients[0].client),
        json!({
            "name": "Dana", "phone": "555-010-4499", "internal_notes": "Cell Phone: (555) 010-4500",
            "address": "12 Elm St, Ann Arbor, MI 48103", "access_notes": "Alarm Code: 4711\nGate: back",
        })
    );
    assert_eq!(
        json!(found.clients[0].dogs),
        json!([{ "name": "Rex", "weight": 22.0 }, { "name": "Luna" }])
    );
}

#[test]
fn what_is_wrong_is_said_with_its_cell_and_what_to_do() {
    let long = "x".repeat(300);
    let found = shown(&format!(
        "Name,Email,Phone,Pet,DOB\nDana,dana at home,12,Rex,soon\n,kim@example.com,,Bo,\nSam,,,,\n{long},,,Mo,5/31/2020\n"
    ));
    assert_eq!(
        problems(&found),
        [
            (
                2,
                Some(4),
                "This date cannot be read. Write it as 2020-05-31, or empty the cell."
            ),
            (
                2,
                Some(1),
                "Invalid email format. Correct it, or empty the cell."
            ),
            (
                2,
                Some(2),
                "Invalid phone format. Correct it, or empty the cell."
            ),
            (
                3,
                Some(0),
                "Client name is required. Write it, or leave this client out."
            ),
            (
                5,
                Some(0),
                "Name cannot exceed 200 characters. Correct it, or leave this client out."
            ),
        ]
    );
    assert_eq!(found.clients[3].dogs[0].0["birthday"], "2020-05-31");
}

#[test]
fn a_client_with_too_many_pets_is_named_and_no_other_is_kept_from_coming() {
    let rows: String = (0..60)
        .map(|it| format!("Dana,d@example.com,Pet {it}\n"))
        .collect();
    let found = shown(&format!("Name,Email,Pet\n{rows}Kim,,Bo\n"));
    let text = "A client has at most 50 pets. Take some out of the file, or leave this client out.";
    assert_eq!(problems(&found), [(2, None, text)]);
    assert_eq!(found.clients.len(), 2);
}

#[test]
fn who_is_there_already_is_known_by_mail_phone_or_name_and_address() {
    let mut business = Business::default();
    let row = Client {
        name: "Dana Hill".to_owned(),
        email: "dana@example.com".to_owned(),
        phone: "+1 555 010 4499".to_owned(),
        address: "12 Elm St".to_owned(),
        ..Client::new(Id::of(7), Instant(0))
    };
    business
        .clients
        .insert(row.id, Box::new(Versioned { rev: 1, row }));
    let table = read(
        "Name,Email,Phone,Address,Pet\nD,DANA@example.com,,,Rex\nD,,(555) 010-4499,,Rex\ndana  hill,,,12 elm st,Rex\nDana Hill,,,,Rex\n",
    );
    let known = known_clients(&business);
    let shown = |choice: &ImportChoice| {
        preview(&table, &guess(&table.header), &known, choice, today()).unwrap()
    };
    let found = shown(&ImportChoice::default());
    let known: Vec<bool> = found
        .clients
        .iter()
        .map(|it| it.known == Some(Id::of(7)))
        .collect();
    assert_eq!(known, [true, true, true, false]);
    use ImportState::{Known, LeftOut, Ready};
    let states = |it: &Preview| it.clients.iter().map(|it| it.state).collect::<Vec<_>>();
    assert_eq!(states(&found), [Known, Known, Known, Ready]);
    assert_eq!((found.n_clients, found.n_dogs, found.n_known), (1, 1, 3));
    let chosen = shown(&ImportChoice {
        added: vec![3],
        left_out: vec![5],
        dates: Vec::new(),
    });
    assert_eq!(states(&chosen), [Known, Ready, Known, LeftOut]);
}

#[test]
fn a_pet_that_a_known_client_does_not_have_is_named() {
    let mut business = Business::default();
    let client = Client {
        email: "dana@example.com".to_owned(),
        ..Client::new(Id::of(7), Instant(0))
    };
    business.put(1, Row::Client(client));
    let pet = Pet {
        name: "Rex ".to_owned(),
        ..Pet::new(Id::of(8), Id::of(7))
    };
    business.put(2, Row::Pet(pet));
    let known = known_clients(&business);
    let said = |text: &str| {
        let table = read(text);
        let choice = ImportChoice::default();
        let found = preview(&table, &guess(&table.header), &known, &choice, today()).unwrap();
        found.clients[0].new_pets.clone()
    };
    let said = ["rex", "Luna", "Rex, Luna, Max and luna"].map(|pets| {
        said(&format!(
            "Name,Email,Pet\nDana,dana@example.com,\"{pets}\"\n"
        ))
    });
    assert_eq!(
        said,
        [
            "",
            "Luna is not here yet. Add this pet on the client’s page.",
            "Luna and Max are not here yet. Add these pets on the client’s page.",
        ]
    );
}

#[test]
fn contacts_of_all_versions_of_vcards_are_read() {
    let found = read(
        "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Hill;Dana;;;\r\nFN:Dana Hill\r\nitem1.TEL;TYPE=\"cell,voice\":+1 555 010 4499\r\n\
         TEL:555-010-4500\r\nEMAIL;TYPE=HOME:dana@example.com\r\nADR;TYPE=HOME:;;12 Elm St\\, rear;Ann Arbor;MI;48103;USA\r\n\
         NOTE:Two dogs\\nand a\r\n  cat\r\nEND:VCARD\r\n\
         BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Zoë\r\nTEL;VALUE=uri:tel:+358-40-123\r\nEND:VCARD\r\n\
         BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg=\r\n=20K;;;\r\nEND:VCARD\r\n\
         BEGIN:VCARD\r\nEND:VCARD\r\n",
    );
    assert_eq!(
        rows(&found),
        [
            [
                "Dana Hill",
                "dana@example.com",
                "+1 555 010 4499",
                "12 Elm St, rear, Ann Arbor, MI 48103, USA",
                "555-010-4500\nTwo dogs\nand a cat",
                ""
            ],
            ["Zoë", "", "+358-40-123", "", "", ""],
            ["Jörg K Müller", "", "", "", "", ""],
        ]
    );
    let targets: Vec<Column> = guess(&found.header)
        .into_iter()
        .flatten()
        .map(|it| it.column)
        .collect();
    use Column::*;
    assert_eq!(
        targets,
        [Name, Email, Phone, Address, InternalNotes, PetName]
    );
}

#[test]
fn a_name_is_said_once_whether_its_parts_have_columns_of_their_own_or_not() {
    for (header, row, name) in [
        (
            "Name,Given Name,Family Name",
            "Dana Hill,Dana,Hill",
            "Dana Hill",
        ),
        (
            "First Name,Last Name,Display Name",
            "Dana,Hill,Danny",
            "Danny",
        ),
        ("Name,Given Name,Family Name", ",Dana,Hill", "Dana Hill"),
        ("Surname,Name", "Hill,Dana", "Dana Hill"),
        ("Surname,Name", "Hill,Dana Hill", "Dana Hill"),
        ("First Name,Name", "Dana,Hill", "Dana Hill"),
        ("First Name,Name", "Dan,Dana", "Dan Dana"),
        ("Last Name,First Name", "Hill,Dana", "Dana Hill"),
    ] {
        let found = shown(&format!("{header},Pet\n{row},Rex\n"));
        assert_eq!(found.clients[0].client.0["name"], name, "{header}");
    }
}

#[test]
fn the_cell_that_is_wrong_is_named_whichever_pets_a_row_leaves_out() {
    let long = "x".repeat(600);
    let header = "Name,Pet 1 Name,Pet 1 Breed,Pet 2 Name,Pet 2 Breed,Pet 3 Name,Pet 3 Breed";
    let breed = "Breed cannot exceed 500 characters. Correct it, or empty the cell.";
    for (row, column) in [
        (format!("Dana,,,Rex,{long},,"), 4),
        (format!("Dana,,,Rex,,Bo,{long}"), 6),
        (format!("Dana,Rex,{long},,,Bo,Lab"), 2),
    ] {
        let found = shown(&format!("{header}\n{row}\n"));
        assert_eq!(problems(&found), [(2, Some(column), breed)]);
    }
    let found = shown(&format!("{header}\nDana,Rex,,,Lab,,\n"));
    let name = "Pet name is required. Write it, or leave this client out.";
    assert_eq!(problems(&found), [(2, Some(3), name)]);
    // Of a further row of the same client.
    let found = shown(&format!("{header}\nDana,Rex,,,,,\nDana,,,,,Bo,{long}\n"));
    assert_eq!(problems(&found), [(3, Some(6), breed)]);
}

#[test]
fn dates_are_read_as_they_are_written_and_nobody_is_born_tomorrow() {
    let born = |text: &str| {
        let found = shown(&format!("Name,Pet,DOB\nDana,Rex,{text}\n"));
        let born = found.clients[0].dogs[0].0.get("birthday").cloned();
        born.map_or_else(
            || found.clients[0].problems[0].text.clone(),
            |it| it.as_str().unwrap().to_owned(),
        )
    };
    for (text, expected) in [
        ("2020-05-31", "2020-05-31"),
        ("5/6/2020", "2020-05-06"),
        ("5-6-2020", "2020-05-06"),
        ("5.6.2020", "2020-06-05"),
        ("31.5.2020", "2020-05-31"),
        ("5/31/98", "1998-05-31"),
        ("11/26/26", "2026-11-26"),
        ("11/27/26", "1926-11-27"),
        ("31/5/2020", "2020-05-31"),
        (
            "31/13/2020",
            "This date cannot be read. Write it as 2020-05-31, or empty the cell.",
        ),
        (
            "11/27/2026",
            "This date is still to come. Correct it, or empty the cell.",
        ),
        (
            "2026-11-27",
            "This date is still to come. Correct it, or empty the cell.",
        ),
    ] {
        assert_eq!(born(text), expected, "{text}");
    }
}

#[test]
fn a_file_full_of_lines_that_go_on_is_read_as_one_that_is_not() {
    let begin = "BEGIN:VCARD\nFN:Dana\n";
    let end = "\nEND:VCARD\n";
    let lines = (IMPORT_BYTES - begin.len() - 60) / 7;
    for (line, note) in [
        ("NOTE:a\n", "a\n".repeat(lines).trim_end().to_owned()),
        ("aaaaa=\n", "aaaaa".repeat(lines)),
    ] {
        let first = if line.ends_with("=\n") {
            "NOTE;ENCODING=QUOTED-PRINTABLE:=\n"
        } else {
            ""
        };
        let found = read(&[begin, first, &line.repeat(lines), end].concat());
        assert_eq!(rows(&found)[0][4], note);
    }
}

#[test]
fn what_a_column_is_called_is_said_with_its_cells_and_never_makes_them_long() {
    let long = "Notes ".repeat(10_000);
    let found = shown(&format!("Name,Pet,{long},More Notes\nDana,Rex,a,b\n"));
    let notes = found.clients[0].client.0["internal_notes"]
        .as_str()
        .unwrap();
    assert!(notes.len() < 200, "{notes}");
    assert_eq!(problems(&found), []);
}

#[test]
fn who_has_no_pets_in_the_file_gets_a_column_to_write_them_into() {
    let table = read("Name,Email\nDana,d@example.com\n");
    assert_eq!(table.header, ["Name", "Email", "Pets"]);
    let found = previewed(&table, &guess(&table.header)).unwrap();
    // Or comes as a draft.
    assert_eq!(problems(&found), []);
    assert_eq!((found.n_clients, found.n_drafts, found.n_wrong), (1, 1, 0));
}

#[test]
fn columns_are_chosen_by_names_that_are_read_as_they_are_written() {
    let chosen = guess(&["Owner", "Balance", "Pet 2 Breed"].map(str::to_owned));
    assert_eq!(written(&chosen), ["name", "internal_notes", "pet_breed.2"]);
    let read = read_columns(["name", "internal_notes", "pet_breed.2"]);
    assert_eq!(read.unwrap(), chosen);
    assert_eq!(read_columns([""]).unwrap(), [None]);
    for bad in [
        "nobody",
        "name.2",
        "pet_name.0",
        "pet_name.21",
        "pet_name.x",
        "pet_name.",
    ] {
        assert!(read_columns([bad]).is_err(), "{bad}");
    }
    let offered = choices(&chosen);
    let labels: Vec<&str> = offered.iter().map(|it| it.label.as_str()).collect();
    assert!(labels.contains(&"Breed") && labels.contains(&"Pet 3: Breed"));
    assert!(!labels.contains(&"Pet 4: Breed"));
    for choice in &offered {
        assert!(read_columns([choice.value.as_str()]).is_ok(), "{choice:?}");
    }
}

/// Bytes that are nearly a file.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"\"".to_vec()),
        Just(b",".to_vec()),
        Just(b";".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\n ".to_vec()),
        Just(b"\0".to_vec()),
        Just(b"Name,Pet 1 Name,Pet 99 DOB,Email,Weight\n".to_vec()),
        Just(b"BEGIN:VCARD\n".to_vec()),
        Just(b"END:VCARD\n".to_vec()),
        Just(b"N;ENCODING=QUOTED-PRINTABLE:=\n".to_vec()),
        Just(b"ADR:;;\\".to_vec()),
        Just(b"TEL;X=\":".to_vec()),
        Just(b"\xFF\xFE".to_vec()),
        prop::collection::vec(any::<u8>(), 0..12),
        "\\PC{0,12}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|it| it.concat())
}

proptest! {
    #[test]
    fn no_file_is_more_than_this_takes(bytes in nearly()) {
        let Ok(table) = Table::read(&bytes) else {
            return Ok(());
        };
        prop_assert!(table.rows.iter().all(|it| it.cells.len() == table.header.len()));
        let every = Column::PetWeight;
        let odd: Vec<Option<Target>> = (0..).take(table.header.len()).map(|pet| Some(Target { column: every, pet })).collect();
        for columns in [guess(&table.header), odd] {
            if let Ok(found) = previewed(&table, &columns) {
                let n_rows: usize = found.clients.iter().map(|it| it.rows.len()).sum();
                // Others are told, such as one that repeats the header.
                prop_assert!(n_rows <= table.rows.len());
                prop_assert!(table.rows.len() <= n_rows + found.notices.len());
                let numbers: Vec<u32> = table.rows.iter().map(|it| it.number).collect();
                let mut problems = found.clients.iter().flat_map(|it| &it.problems);
                prop_assert!(problems.all(|it| numbers.contains(&it.row)));
                let n_ready = found.clients.iter().filter(|it| it.problems.is_empty()).count();
                prop_assert_eq!(u32::try_from(n_ready), Ok(found.n_clients));
            }
        }
    }
}

/// The pets of the only client of a file: their names with the other fields that are asked for.
fn pets_of(text: &str, fields: &[&str]) -> Vec<Vec<String>> {
    let found = shown(text);
    let [client] = found.clients.as_slice() else {
        panic!("{:?}", found.clients);
    };
    let dogs = client.dogs.iter().map(|it| {
        let text = |field: &&str| match it.0.get(*field) {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        [&["name"], fields].concat().iter().map(text).collect()
    });
    dogs.collect()
}

#[test]
fn each_pet_that_columns_name_is_one() {
    assert_eq!(
        pets_of("Name,Dogs,Cats\nA,Max,Max\n", &["pet_type"]),
        [["Max", ""], ["Max", "cat"]]
    );
    assert_eq!(
        pets_of("Name,Dogs,Cats\nA,\"Rex, Max\",Tom\n", &["pet_type"]),
        [["Rex", ""], ["Max", ""], ["Tom", "cat"]]
    );
    assert_eq!(
        pets_of(
            "Name,Pet,Breed,Pet,Breed\nA,Rex,Lab,Bella,Pug\n",
            &["breed"]
        ),
        [["Rex", "Lab"], ["Bella", "Pug"]]
    );
    assert_eq!(
        pets_of("Name,Pet Name,Dog Name\nA,Rex,rex\n", &[]),
        [["Rex"]]
    );
    assert_eq!(
        pets_of(
            "Name,Pet 1,Pet 2,Pet 2 Breed\nA,\"Rex, Max\",Bella,Pug\n",
            &["breed"]
        ),
        [["Rex", ""], ["Max", ""], ["Bella", "Pug"]]
    );
    assert_eq!(
        pets_of(
            "Name,Dogs,Cats,Breed\nA,\"Rex, Max\",Tom,\"Lab, Pug, Siamese\"\n",
            &["breed"]
        ),
        [["Rex", "Lab"], ["Max", "Pug"], ["Tom", "Siamese"]]
    );
}

#[test]
fn a_second_value_of_a_pet_goes_where_people_read_it() {
    let [pet] = pets_of(
        "Name,Pet,Birthday,DOB,Sex,Gender\nA,Rex,2020-05-31,2019-01-02,male,female\n",
        &["birthday", "sex", "about"],
    )
    .try_into()
    .unwrap();
    assert_eq!(
        pet,
        [
            "Rex",
            "2020-05-31",
            "male",
            "DOB: 2019-01-02\nGender: female"
        ]
    );
}
