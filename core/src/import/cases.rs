//! Files as address books and other programs write them, each with what must come of it: nothing in them may be lost or
//! swapped without a word.

use serde_json::{Value, json};

use super::column::{guess, read_columns, written};
use super::join::{Join, join};
use super::preview::{DateAnswer, ImportChoice, ImportState, Preview, preview};
use super::table::{ImportFault, Table};
use crate::archive::Spreadsheets;
use crate::rows::client::Client;
use crate::rows::pet::Pet;
use crate::rows::row::{Row, TableName};
use crate::values::bounds::{IMPORT_BYTES, IMPORT_CARDS_BYTES};
use crate::{Cents, Id, Instant};

fn read(bytes: &[u8]) -> Table {
    Table::read(bytes).unwrap()
}

fn shown_of(table: &Table) -> Preview {
    let today = "2026-11-28".parse().unwrap();
    let columns = table.guess();
    preview(table, &columns, &[], &ImportChoice::default(), today).unwrap()
}

fn shown(text: &str) -> Preview {
    shown_of(&read(text.as_bytes()))
}

fn client(preview: &Preview, place: usize) -> Value {
    json!(preview.clients[place].client)
}

fn dogs(preview: &Preview, place: usize) -> Value {
    json!(preview.clients[place].dogs)
}

fn problems(preview: &Preview) -> Vec<(u32, Option<u32>, &str)> {
    let problems = preview.clients.iter().flat_map(|it| &it.problems);
    problems
        .map(|it| (it.row, it.column, it.text.as_str()))
        .collect()
}

fn columns_of(header: &str) -> Vec<String> {
    written(&guess(&read(format!("{header}\nx\n").as_bytes()).header))
}

#[test]
fn both_pets_words_are_kept_where_each_pet_has_a_row() {
    let found = shown(
        "Client,Phone,Pet name,Feeding Instructions,Notes\r\n\
         Gina Ross,206-555-0501,Pip,1 cup dry AM and PM,Pulls on leash\r\n\
         Gina Ross,206-555-0501,Moss,Insulin with food 7 am sharp,Hides under the bed\r\n",
    );
    assert_eq!(problems(&found), []);
    assert_eq!(
        dogs(&found, 0),
        json!([
            { "name": "Pip", "about": "1 cup dry AM and PM" },
            { "name": "Moss", "about": "Insulin with food 7 am sharp" },
        ])
    );
    assert_eq!(
        client(&found, 0)["internal_notes"],
        "Pip: Pulls on leash\nMoss: Hides under the bed"
    );
    // Also where the second row leaves the client to the first.
    let found = shown("Client,Phone,Pet name,Notes\nGina,206-555-0501,Pip,Pulls\n,,Moss,Hides\n");
    assert_eq!(found.clients.len(), 1);
    assert_eq!(
        client(&found, 0)["internal_notes"],
        "Pip: Pulls\nMoss: Hides"
    );
}

#[test]
fn another_vet_of_the_second_pet_is_kept_beside_the_first() {
    let file = |second: &str, third: &str| {
        format!(
            "Client,Phone,Pet name,Vet\nGina Ross,206-555-0501,Pip,Lake Vet 206-555-0600\n\
             Gina Ross,206-555-0501,Moss,{second}\nGina Ross,206-555-0501,Bo,{third}\n"
        )
    };
    let vet = |second: &str, third: &str| client(&shown(&file(second, third)), 0)["vet"].clone();
    assert_eq!(
        vet("Cat Clinic 206-555-0700", "Lake Vet 206-555-0600"),
        "Pip, Bo: Lake Vet 206-555-0600\nMoss: Cat Clinic 206-555-0700"
    );
    assert_eq!(vet("Lake Vet 206-555-0600", ""), "Lake Vet 206-555-0600");
}

#[test]
fn differing_values_of_further_rows_are_kept() {
    let found = shown(
        "Client,Email,Phone,Address,Pet name,Gate code\n\
         Gina,g@example.org,206-555-0501,1 Elm St,Pip,4711\n\
         Gina,g@example.org,206-555-0502,2 Oak St,Moss,\n",
    );
    assert_eq!(
        client(&found, 0),
        json!({
            "name": "Gina", "email": "g@example.org", "phone": "206-555-0501", "address": "1 Elm St",
            "access_notes": "4711", "internal_notes": "Phone: 206-555-0502\nAddress: 2 Oak St",
        })
    );
}

/// The columns of Google Contacts since 2024.
const GOOGLE: &str = "First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,\
    Name Prefix,Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,\
    Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,\
    Phone 2 - Label,Phone 2 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,\
    Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Address 1 - Extended Address";

#[test]
fn labels_of_google_contacts_are_no_values_and_an_address_is_said_once() {
    let found = shown(&format!(
        "{GOOGLE}\r\n\
         Ingrid,,Halvorsen,,,,,,,,,,,,Dog: Pelle,,* myContacts,* Home,ingrid@example.org,,,Mobile,+1 206 555 0141,,,\
         Home,\"14 Birch Lane\nSeattle, WA 98101\nUS\",14 Birch Lane,Seattle,,WA,98101,US,\r\n\
         Tomás,,Ó Briain,,,,,,,,,,,--03-07,,,Walk clients ::: * myContacts,* Work,tomas@example.org ::: t2@example.org,,,\
         Mobile,+1 206 555 0142 ::: +1 206 555 0143,Home,206-555-0144,,,,,,,,,\r\n\
         Mei,,李,,,,,,,,,,,,,https://example.org/p/a.jpg,* myContacts,,mei@example.org,,,,2065550145,,,,,,,,,,,\r\n"
    ));
    assert_eq!(
        client(&found, 0),
        json!({
            "name": "Ingrid Halvorsen", "email": "ingrid@example.org", "phone": "+1 206 555 0141",
            "address": "14 Birch Lane, Seattle, WA 98101, US", "internal_notes": "Dog: Pelle",
        })
    );
    assert_eq!(
        client(&found, 1),
        json!({
            "name": "Tomás Ó Briain", "email": "tomas@example.org", "phone": "+1 206 555 0142",
            "internal_notes": "E-mail 1 - Value: t2@example.org\nPhone 1 - Value: +1 206 555 0143\n\
                               Phone 2 - Value: 206-555-0144\nBirthday: --03-07\nLabels: Walk clients",
        })
    );
    assert_eq!(client(&found, 2)["email"], "mei@example.org");
    // Nobody has a pet yet.
    assert_eq!(problems(&found), []);
    assert_eq!((found.n_clients, found.n_drafts), (3, 3));
}

/// The columns of Google Contacts before that.
const GOOGLE_OLD: &str = "Name,Given Name,Additional Name,Family Name,Yomi Name,Given Name Yomi,Additional Name Yomi,\
    Family Name Yomi,Name Prefix,Name Suffix,Initials,Nickname,Short Name,Maiden Name,Birthday,Gender,Location,\
    Billing Information,Directory Server,Mileage,Occupation,Hobby,Sensitivity,Priority,Subject,Notes,Language,Photo,\
    Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Address 1 - Type,\
    Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Region,\
    Address 1 - Postal Code,Address 1 - Country,Address 1 - Extended Address";

#[test]
fn the_birthday_and_sex_in_an_address_book_are_not_a_pets() {
    let text = format!(
        "{GOOGLE_OLD}\n\
         Ingrid Halvorsen,Ingrid,,Halvorsen,,,,,,,,,,,,,,,,,,,,,,,,,* myContacts,* Home,ingrid@example.org,Mobile,\
         +1 206 555 0141,Home,\"14 Birch Lane\nSeattle, WA 98101\",14 Birch Lane,Seattle,,WA,98101,,\n\
         Sam Okafor,Sam,,Okafor,,,,,,,,,,,1980-02-29,Male,,,,,,,,,,,,,* myContacts,,,,,,,,,,,,,\n"
    );
    let utf16 = text.encode_utf16().flat_map(u16::to_le_bytes);
    let bytes: Vec<u8> = [0xff, 0xfe].into_iter().chain(utf16).collect();
    let found = shown_of(&read(&bytes));
    assert_eq!(
        client(&found, 0),
        json!({
            "name": "Ingrid Halvorsen", "email": "ingrid@example.org", "phone": "+1 206 555 0141",
            "address": "14 Birch Lane, Seattle, WA 98101",
        })
    );
    assert_eq!(
        (client(&found, 1), dogs(&found, 1)),
        (
            json!({ "name": "Sam Okafor", "internal_notes": "Birthday: 1980-02-29\nGender: Male" }),
            json!([])
        )
    );
    // With a column of pets it is theirs.
    assert_eq!(
        columns_of("Middle Name,Suffix,Dog,Birthday,Sex"),
        [
            "internal_notes",
            "internal_notes",
            "pet_name",
            "pet_birthday",
            "pet_sex"
        ]
    );
}

#[test]
fn an_export_of_outlook_has_home_first_and_no_date_of_zeros() {
    let header = "Title,First Name,Middle Name,Last Name,Suffix,Company,Job Title,Business Street,Business City,\
        Business State,Business Country/Region,Home Street,Home Street 2,Home City,Home State,Home Postal Code,\
        Home Country/Region,Business Phone,Home Phone,Mobile Phone,Anniversary,Birthday,E-mail Address,E-mail Type,\
        E-mail Display Name,Gender,Notes,Sensitivity";
    let found = shown(&format!(
        "{header}\n\
         ,Dana,,Whitfield,,,,9 Dock St,Salem,OR,,12 Elm St,Apt 4,Portland,OR,97201,United States of America,,\
         (503) 555-0101,(503) 555-0102,0/0/00,0/0/00,dana@example.com,SMTP,Dana Whitfield (dana@example.com),Unspecified,\
         \"Bella, golden retriever\",Normal\n\
         ,Jörg,,Müller,,,,Office Park 1,Portland,,,,,,,,,(503) 555-0199,,+49 171 5550103,0/0/00,6/2/1975,\
         joerg@example.com,SMTP,,Male,,Normal\n"
    ));
    assert_eq!(
        client(&found, 0),
        json!({
            "name": "Dana Whitfield", "email": "dana@example.com", "phone": "(503) 555-0101",
            "address": "12 Elm St, Apt 4, Portland, OR 97201, United States of America",
            "internal_notes": "Business Street: 9 Dock St\nBusiness City: Salem\nBusiness State: OR\n\
                               Mobile Phone: (503) 555-0102\nBella, golden retriever",
        })
    );
    assert_eq!(
        client(&found, 1),
        json!({
            "name": "Jörg Müller", "email": "joerg@example.com", "phone": "(503) 555-0199",
            "address": "Office Park 1, Portland",
            "internal_notes": "Mobile Phone: +49 171 5550103\nBirthday: 6/2/1975\nGender: Male",
        })
    );
    assert_eq!((dogs(&found, 0), dogs(&found, 1)), (json!([]), json!([])));
    assert_eq!(problems(&found), []);
    // Nor is it one in a column that is a pet's.
    let found = shown("Name,Pet,Birthday\nDana,Rex,0/0/00\n");
    assert_eq!(
        (dogs(&found, 0), problems(&found)),
        (json!([{ "name": "Rex" }]), vec![])
    );
}

#[test]
fn one_date_that_can_only_be_read_in_one_way_decides_for_its_file() {
    let born = |dates: &[&str]| -> Vec<String> {
        let rows = dates.iter().zip(0..);
        let rows: String = rows
            .map(|(it, n)| format!("Client {n},Pet {n},{it}\n"))
            .collect();
        let found = shown(&format!("Client,Pet name,Date of birth\n{rows}"));
        let born = found.clients.iter().map(|it| {
            let born = it.dogs[0].0.get("birthday").and_then(Value::as_str);
            born.unwrap_or("refused").to_owned()
        });
        born.collect()
    };
    assert_eq!(
        born(&["05/04/2020", "31/05/2019", "25/12/2018", "12/11/2021"]),
        ["2020-04-05", "2019-05-31", "2018-12-25", "2021-11-12"]
    );
    assert_eq!(
        born(&["05/04/2020", "05/31/2019"]),
        ["2020-05-04", "2019-05-31"]
    );
    assert_eq!(born(&["05/04/2020"]), ["2020-05-04"]);
    assert_eq!(born(&["2020/05/31"]), ["2020-05-31"]);
    // Both stand in the file: what could be either is asked of the person.
    assert_eq!(
        born(&["05/04/2020", "31/05/2019", "05/31/2019", "06/06/2018"]),
        ["refused", "2019-05-31", "2019-05-31", "2018-06-06"]
    );
}

#[test]
fn a_columns_name_gives_the_unit_of_a_weight() {
    let weight = |header: &str, cell: &str| {
        let found = shown(&format!("Client,Pet name,{header}\nGina,Pip,{cell}\n"));
        dogs(&found, 0)[0]["weight"].clone()
    };
    assert_eq!(weight("Weight (kg)", "12"), 26.5);
    assert_eq!(weight("Weight in kilograms", "12"), 26.5);
    assert_eq!(weight("Weight (kg)", "12 lbs"), 12.0);
    assert_eq!(weight("Weight (lbs)", "12"), 12.0);
    assert_eq!(weight("Weight", "12 kg"), 26.5);
}

#[test]
fn a_phone_number_is_taken_out_of_what_stands_around_it() {
    for (cell, phone, notes) in [
        (
            "206-555-0501 / 206-555-0502",
            "206-555-0501",
            "Phone: 206-555-0502",
        ),
        (
            "206-555-0501 or 206-555-0502",
            "206-555-0501",
            "Phone: 206-555-0502",
        ),
        (
            "(206) 555-0100 x12",
            "(206) 555-0100",
            "Phone: (206) 555-0100 x12",
        ),
        (
            "206-555-0101 ext. 4",
            "206-555-0101",
            "Phone: 206-555-0101 ext. 4",
        ),
        (
            "206-555-0102 (mobile)",
            "206-555-0102",
            "Phone: 206-555-0102 (mobile)",
        ),
        (
            "Mobile: (206) 555-0102",
            "(206) 555-0102",
            "Phone: Mobile: (206) 555-0102",
        ),
        ("206/555/0107", "206-555-0107", ""),
        ("206.555.0107", "206-555-0107", ""),
        ("206\u{a0}555\u{a0}0105", "206 555 0105", ""),
        ("206–555–0106", "206-555-0106", ""),
        ("'2065550110", "2065550110", ""),
        ("'+47 91 23 45 67", "+47 91 23 45 67", ""),
        ("\u{202a}+1 206 555 0111\u{202c}", "+1 206 555 0111", ""),
        ("٠٥٠١٢٣٤٥٦٧", "0501234567", ""),
        ("+44 (0)20 7946 0018", "+44 (0)20 7946 0018", ""),
    ] {
        let found = shown(&format!("Client,Phone,Pet name\nGina,\"{cell}\",Pip\n"));
        assert_eq!(problems(&found), [], "{cell}");
        let found = client(&found, 0);
        assert_eq!(found["phone"], phone, "{cell}");
        assert_eq!(
            found["internal_notes"].as_str().unwrap_or_default(),
            notes,
            "{cell}"
        );
    }
    let found = shown("Client,Phone,Pet name\nGina,n/a,Pip\n");
    assert_eq!(
        (client(&found, 0), problems(&found)),
        (json!({ "name": "Gina" }), vec![])
    );
    let found = shown("Client,Phone,Pet name\nGina,1-800-PET-WALK,Pip\n");
    assert_eq!(
        problems(&found),
        [(
            2,
            Some(1),
            "Invalid phone format. Correct it, or empty the cell."
        )]
    );
}

#[test]
fn a_vcards_phone_has_its_extension_in_the_notes() {
    let found = shown(
        "BEGIN:VCARD\nVERSION:4.0\nFN:Dr. Ada Byron\nN:Byron;Ada;;Dr.;\n\
         TEL;VALUE=uri;PREF=1;TYPE=\"voice,home\":tel:+1-206-555-0109;ext=5102\n\
         TEL;VALUE=uri;TYPE=cell:tel:+1-206-555-0110\nEMAIL:ada@example.org\n\
         ADR;LABEL=\"5 Pine St\\nSeattle\":;;5 Pine St;Seattle;WA;98101;USA\nBDAY:--0203\n\
         NOTE:Pays late\nEND:VCARD\n",
    );
    assert_eq!(
        client(&found, 0),
        json!({
            "name": "Dr. Ada Byron", "email": "ada@example.org", "phone": "+1-206-555-0109",
            "address": "5 Pine St, Seattle, WA 98101, USA",
            "internal_notes": "Phone: +1-206-555-0109 ext. 5102\n+1-206-555-0110\nPays late\nBirthday: 02-03",
        })
    );
}

#[test]
fn pictures_in_vcards_are_passed_over_whatever_they_weigh() {
    let line = format!(" {}\r\n", "c6m+9Jm79Nx70qTy".repeat(4));
    let card = |n: usize| {
        format!(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Pat Client{n}\r\nPHOTO;ENCODING=b;TYPE=JPEG:c6m+\r\n{}\
             TEL;type=CELL:+1 206-555-00{n:02}\r\nitem1.LOGO;ENCODING=b:abcd\r\n{line}END:VCARD\r\n",
            line.repeat(320)
        )
    };
    let file: String = (0..30).map(card).collect();
    assert!(IMPORT_BYTES < file.len());
    let found = shown(&file);
    assert_eq!(found.clients.len(), 30);
    assert_eq!(
        client(&found, 29),
        json!({ "name": "Pat Client29", "phone": "+1 206-555-0029" })
    );
    let too_large = file.repeat(1 + IMPORT_CARDS_BYTES / file.len());
    assert_eq!(
        Table::read(too_large.as_bytes()),
        Err(ImportFault::TooLarge)
    );
}

#[test]
fn a_quotation_mark_that_is_never_closed_takes_no_rows_in_and_is_told() {
    let rows = |second: &str| {
        format!(
            "Client,Phone,Pet name\r\nAnn Lee,206-555-0601,Rex\r\nBob Ray,206-555-0602,{second}\r\n\
             Cy Fox,206-555-0603,Milo\r\nDi Orr,206-555-0604,\"Bo\"\r\n"
        )
    };
    let names = |found: &Preview| -> Vec<String> {
        let names = found.clients.iter().map(|it| &it.client.0["name"]);
        names.map(|it| it.as_str().unwrap().to_owned()).collect()
    };
    // The second one is closed only by the one that opens Bo's name.
    for second in ["\"Luna", "\"Luna \"Lu"] {
        let found =
            shown(&rows(second).replace("\"Bo\"", if second.len() < 6 { "Bo" } else { "\"Bo\"" }));
        assert_eq!(
            names(&found),
            ["Ann Lee", "Bob Ray", "Cy Fox", "Di Orr"],
            "{second}"
        );
    }
    let text = "This quotation mark is never closed. Remove it, and check that nothing of this row is missing.";
    let found = shown(&rows("\"Luna"));
    assert_eq!(problems(&found), [(3, Some(2), text)]);
    assert_eq!((found.n_clients, found.n_wrong), (3, 1));
    // Quotation marks that are closed are none of it.
    for good in [
        "\"Luna\"",
        "\"Lu \"\"na\"\"\"",
        "\"Luna\" ",
        "Lu\"na",
        "\"Luna,\nBo\"",
    ] {
        assert_eq!(problems(&shown(&rows(good))), [], "{good}");
    }
}

#[test]
fn a_header_is_found_below_a_title() {
    let found = shown(
        "My Pet Sitting Clients,,,\nExported 11/20/2026,,,\n\nClient,Phone,Pet name,Breed\nAnn Lee,206-555-0801,Rex,Lab\n",
    );
    assert_eq!(client(&found, 0)["name"], "Ann Lee");
    assert_eq!(found.clients[0].rows, [5]);
    assert_eq!(problems(&found), []);
}

#[test]
fn the_own_exports_tables_are_read_back() {
    let clients = "\u{feff}name,email,phone,address,access_notes,house_instructions,emergency_contact,vet,\
        relationship_type,pricing_walk,pricing_dropin,created_at\r\n\
        Ola Nordmann,o@example.org,'+47 91 23 45 67,Storgata 1,,,,,existing_client,30,27.5,2026-11-28T03:39:45.573Z\r\n";
    let table = read(clients.as_bytes());
    let mut columns = written(&guess(&table.header));
    assert_eq!(
        columns,
        [
            "name",
            "email",
            "phone",
            "address",
            "access_notes",
            "house_instructions",
            "emergency_contact",
            "vet",
            "",
            "pricing_walk",
            "pricing_dropin",
            "",
            "pet_name"
        ]
    );
    let found = shown_of(&table);
    assert_eq!(
        client(&found, 0),
        json!({
            "name": "Ola Nordmann", "email": "o@example.org", "phone": "+47 91 23 45 67", "address": "Storgata 1",
            "pricing_walk": 30.0, "pricing_dropin": 27.5,
        })
    );
    columns.pop();
    assert!(read_columns(columns.iter().map(String::as_str)).is_ok());
    let found = shown(
        "\u{feff}client,name,pet_type,breed,sex,weight,birthday,microchipped,spayed_neutered,house_trained,\
         friendly_with_children,friendly_with_dogs,friendly_with_cats,adoption_date,about\r\n\
         Ola Nordmann,Balto,dog,Husky,male,22,2020-05-31,yes,unsure,depends,yes,no,unsure,2021-01-02,Fears cars\r\n\
         Ola Nordmann,Tom,cat,,unknown,,,unknown,unsure,unsure,unsure,unsure,unsure,,\r\n",
    );
    assert_eq!(problems(&found), []);
    assert_eq!(client(&found, 0), json!({ "name": "Ola Nordmann" }));
    assert_eq!(
        dogs(&found, 0)[0],
        json!({
            "name": "Balto", "pet_type": "dog", "breed": "Husky", "sex": "male", "weight": 22.0,
            "birthday": "2020-05-31", "microchipped": "yes", "spayed_neutered": "unsure", "house_trained": "depends",
            "friendly_with_children": "yes", "friendly_with_dogs": "no", "friendly_with_cats": "unsure",
            "adoption_date": "2021-01-02", "about": "Fears cars",
        })
    );
    assert_eq!(dogs(&found, 0)[1]["name"], "Tom");
}

/// A cell as it was stored: what is empty, and what was never said, are the same.
fn stored(row: &Row, column: &str) -> Value {
    let row: Value = serde_json::from_str(&row.json().unwrap()).unwrap();
    plain(&row[column])
}

fn plain(value: &Value) -> Value {
    match value {
        Value::Number(it) => json!(it.as_f64()),
        Value::String(it) if it.is_empty() => Value::Null,
        it => it.clone(),
    }
}

#[test]
fn every_column_of_the_own_exports_comes_back_as_it_was() {
    let mut owner = Client::new(Id::of(1), Instant(0));
    owner.name = "Ola \"Olli\" Nordmann".to_owned();
    owner.email = "o@example.org".to_owned();
    owner.phone = "+47 91 23 45 67".to_owned();
    owner.address = "Storgata 1; Oslo".to_owned();
    owner.billing_address = "Nordmann AS\nPostboks 7".to_owned();
    owner.access_notes = "-2 in the lift\nKey 14".to_owned();
    owner.internal_notes = "=pays late".to_owned();
    owner.house_instructions = "Shoes off, please".to_owned();
    owner.emergency_contact = "Kari, 555-0100".to_owned();
    owner.vet = "Lake Vet & Sons".to_owned();
    owner.pricing_walk = Cents(31_50);
    owner.pricing_dropin = Cents(28_00);
    let pet = |n: u128, name: &str, rest: Value| -> Pet {
        let mut fields = rest;
        fields["id"] = json!(Id::of(n));
        fields["client_id"] = json!(owner.id);
        fields["name"] = json!(name);
        serde_json::from_value(fields).unwrap()
    };
    let told = json!({
        "pet_type": "cat", "breed": "Manx, mostly", "sex": "female", "weight": 9.5, "birthday": "2020-05-31",
        "microchipped": "yes", "spayed_neutered": "no", "house_trained": "depends", "friendly_with_children": "yes",
        "friendly_with_dogs": "no", "friendly_with_cats": "depends", "adoption_date": "2021-01-02",
        "about": "Insulin with food\n+ treats",
    });
    let pets = [
        pet(2, "Salt & Pepper", told),
        pet(3, "Max/Moritz", json!({ "pet_type": "other" })),
        pet(4, "Tom and Jerry", json!({})),
    ];
    let mut sheets = Spreadsheets::default();
    for it in &pets {
        sheets.note_pet(it);
    }
    let mut table = |name: TableName, rows: &[Row]| {
        let (_, mut csv) = Spreadsheets::begin(name).unwrap();
        for row in rows {
            sheets.push(&mut csv, row).unwrap();
        }
        read(csv.as_bytes())
    };

    let owner = Row::Client(owner);
    let clients = table(TableName::Client, std::slice::from_ref(&owner));
    let found = shown_of(&clients);
    assert_eq!(problems(&found), []);
    for column in &clients.header {
        match column.as_str() {
            "pets" => {
                let names = dogs(&found, 0);
                let names = names.as_array().unwrap().iter().map(|it| &it["name"]);
                assert!(names.eq(["Salt & Pepper", "Max/Moritz", "Tom and Jerry"]));
            }
            // Neither is a person's to set.
            "relationship_type" | "created_at" => {}
            column => assert_eq!(
                plain(&client(&found, 0)[column]),
                stored(&owner, column),
                "{column}"
            ),
        }
    }

    let rows = pets.map(Row::Pet);
    let unset = Row::Pet(Pet::new(Id::of(9), Id::of(1)));
    let of_pets = table(TableName::Pet, &rows);
    let found = shown_of(&of_pets);
    assert_eq!(problems(&found), []);
    assert_eq!((found.n_clients, found.n_dogs), (1, 3));
    for column in &of_pets.header {
        if let Some(of_client) = column.strip_prefix("client") {
            let field = match of_client {
                "" => "name",
                field => field.trim_start_matches('_'),
            };
            assert_eq!(client(&found, 0)[field], stored(&owner, field), "{column}");
            continue;
        }
        // Set by a command of its own, which no import makes.
        if column == "gone_on" {
            continue;
        }
        assert_ne!(
            stored(&rows[0], column),
            stored(&unset, column),
            "{column} is new: set it in `told`, and let core/src/import/column.rs and core/src/import/preview.rs read it"
        );
        for (place, row) in rows.iter().enumerate() {
            let pet = plain(&dogs(&found, 0)[place][column]);
            assert_eq!(pet, stored(row, column), "{column}");
        }
    }
}

#[test]
fn traits_of_pets_have_columns() {
    let found = shown(
        "Client,Phone,Pet name,Spayed/Neutered,Microchip,Friendly with dogs,House trained,Good with kids\n\
         Gina Ross,206-555-0501,Pip,Yes,985112000000001,No,No,Only older ones\n",
    );
    assert_eq!(problems(&found), []);
    assert_eq!(
        dogs(&found, 0),
        json!([{
            "name": "Pip", "spayed_neutered": "yes", "microchipped": "yes", "friendly_with_dogs": "no",
            "house_trained": "no", "friendly_with_children": "depends",
            "about": "Microchip: 985112000000001\nGood with kids: Only older ones",
        }])
    );
}

#[test]
fn free_notes_are_for_the_sitter_alone() {
    for called in [
        "Notes",
        "Comments",
        "Client Notes",
        "Pet Notes",
        "Description",
        "Special Instructions",
        "internal_notes",
    ] {
        let found = shown(&format!("Client,Pet name,{called}\nGina,Pip,Pays late\n"));
        assert_eq!(
            (client(&found, 0), dogs(&found, 0)),
            (
                json!({ "name": "Gina", "internal_notes": "Pays late" }),
                json!([{ "name": "Pip" }])
            ),
            "{called}"
        );
    }
}

/// All of the first client, with its pets.
fn first(text: &str) -> (Value, Value) {
    let found = shown(text);
    assert_eq!(problems(&found), [], "{text}");
    (client(&found, 0), dogs(&found, 0))
}

#[test]
fn address_books_in_other_languages_are_read_as_in_english() {
    let google = "Vorname,Zweiter Vorname,Nachname,Namenspräfix,Spitzname,Speichern unter,Name der Organisation,Geburtstag,\
        Notizen,Foto,Labels,E-Mail 1 – Label,E-Mail 1 – Wert,Telefon 1 – Label,Telefon 1 – Wert,Telefon 2 – Label,\
        Telefon 2 – Wert,Adresse 1 – Label,Adresse 1 – Formatiert,Adresse 1 – Straße,Adresse 1 – Ort,\
        Adresse 1 – Postleitzahl,Adresse 1 – Land\n\
        Anke,,Müller,,,,,1980-02-01,Hund Waldi,,* myContacts,* Home,anke@example.de,Mobile,+49 171 5550100,Home,\
        030 5550101,Home,\"Hauptstr. 5\n10115 Berlin\nDE\",Hauptstr. 5,Berlin,10115,DE\n";
    assert_eq!(
        first(google).0,
        json!({
            "name": "Anke Müller", "email": "anke@example.de", "phone": "+49 171 5550100",
            "address": "Hauptstr. 5, Berlin, 10115, DE",
            "internal_notes": "Telefon 2 – Wert: 030 5550101\nGeburtstag: 1980-02-01\nHund Waldi",
        })
    );
    let french = "Prénom,Deuxième prénom,Nom de famille,Surnom,Anniversaire,Notes,Libellés,Adresse e-mail 1 - Libellé,\
        Adresse e-mail 1 - Valeur,Téléphone 1 - Libellé,Téléphone 1 - Valeur,Adresse 1 - Rue,Adresse 1 - Ville,\
        Adresse 1 - Code postal,Adresse 1 - Pays\n\
        Élodie,,Petit,,,Chien: Médor,* myContacts,* Home,e@example.fr,Mobile,06 55 50 01 00,3 rue des Lilas,Lyon,69001,FR\n";
    assert_eq!(
        first(french).0,
        json!({
            "name": "Élodie Petit", "email": "e@example.fr", "phone": "06 55 50 01 00",
            "address": "3 rue des Lilas, Lyon, 69001, FR", "internal_notes": "Chien: Médor",
        })
    );
    let outlook = "Anrede,Vorname,Weitere Vornamen,Nachname,Suffix,Firma,Straße geschäftlich,Ort geschäftlich,\
        Land/Region geschäftlich,Straße privat,Ort privat,Bundesland/Kanton privat,Postleitzahl privat,\
        Land/Region privat,Fax geschäftlich,Telefon geschäftlich,Telefon privat,Mobiltelefon,E-Mail-Adresse,E-Mail-Typ,\
        E-Mail: Angezeigter Name,Geburtstag,Geschlecht,Jahrestag,Notizen,Priorität\n\
        ,Jörg,,Weiß,,,,,,Lindenweg 2,Köln,NRW,50667,Deutschland,,,0221 5550101,0171 5550102,joerg@example.de,SMTP,\
        Jörg Weiß (joerg@example.de),0.0.00,Keine Angabe,0.0.00,Hund: Bello,Normal\n";
    assert_eq!(
        first(outlook).0,
        json!({
            "name": "Jörg Weiß", "email": "joerg@example.de", "phone": "0221 5550101",
            "address": "Lindenweg 2, Köln, NRW 50667, Deutschland",
            "internal_notes": "Mobiltelefon: 0171 5550102\nHund: Bello",
        })
    );
    let spanish = "Tratamiento,Nombre,Segundo nombre,Apellidos,Calle del domicilio particular,Ciudad de residencia,\
        Código postal particular,Teléfono particular,Móvil,Dirección de correo electrónico,Cumpleaños,Sexo,Notas\n\
        ,Ana,,López,Calle Sol 1,Sevilla,41001,955 550 101,655 550 102,ana@example.es,0/0/00,,Perro Toby\n";
    assert_eq!(
        first(spanish).0,
        json!({
            "name": "Ana López", "email": "ana@example.es", "phone": "955 550 101",
            "address": "Calle Sol 1, Sevilla, 41001", "internal_notes": "Móvil: 655 550 102\nPerro Toby",
        })
    );
}

#[test]
fn a_german_list_of_pets_is_read_in_every_encoding() {
    let text = "Name;Telefon;E-Mail;Straße;PLZ;Ort;Hundename;Rasse;Geburtsdatum;Gewicht (kg);Geschlecht;Notizen\n\
        Jörg Weiß;0171 5550100;j@example.de;Lindenweg 2;50667;Köln;Bello;Dackel;31.05.2020;9,5;männlich;beim Nachbarn\n";
    let expected = (
        json!({
            "name": "Jörg Weiß", "phone": "0171 5550100", "email": "j@example.de",
            "address": "Lindenweg 2, Köln, 50667", "internal_notes": "beim Nachbarn",
        }),
        json!([{ "name": "Bello", "breed": "Dackel", "birthday": "2020-05-31", "weight": 20.9, "sex": "male" }]),
    );
    let mac = |it: char| match it {
        'ö' => 0x9a,
        'ß' => 0xa7,
        'ä' => 0x8a,
        it => u8::try_from(u32::from(it)).unwrap(),
    };
    let latin = |it: char| u8::try_from(u32::from(it)).unwrap();
    let utf16 = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    for bytes in [
        text.as_bytes().to_vec(),
        text.chars().map(mac).collect(),
        text.chars().map(latin).collect(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
    ] {
        let found = shown_of(&read(&bytes));
        assert_eq!((client(&found, 0), dogs(&found, 0)), expected);
    }
    // UTF-16 with hardly a letter of Europe, and UTF-8 into which another program wrote.
    let utf16: Vec<u8> = "Name,Phone,Pet\nИван Петров,+7 916 555 01 01,Шарик\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(client(&shown_of(&read(&utf16)), 0)["name"], "Иван Петров");
    let mixed = ["Client,Pet\nJörg Weiß,Rex\n".as_bytes(), b"Ren\xe9,Mo\n"].concat();
    let found = shown_of(&read(&mixed));
    let names = (
        client(&found, 0)["name"].clone(),
        client(&found, 1)["name"].clone(),
    );
    assert_eq!(names, (json!("Jörg Weiß"), json!("René")));
}

#[test]
fn letters_are_asked_for_where_the_bytes_do_not_tell() {
    let asked = |bytes: &[u8]| -> Vec<String> {
        let readings = Table::readings(bytes);
        for it in &readings {
            assert!(Table::read_as(bytes, Some(it.encoding)).is_ok());
        }
        readings.into_iter().map(|it| it.sample).collect()
    };
    assert_eq!(asked("Name\nZoë\n".as_bytes()), [""; 0]);
    assert_eq!(asked(b"Name\nM\xfcller\n"), [""; 0]);
    assert_eq!(asked(b"Name\nJos\x8e\n"), [""; 0]);
    assert_eq!(asked(b"Name\nDana\nGarc\x92a\n"), ["Garc’a", "García"]);
    for apostrophes in [
        &b"Name\nDana\nO\x92Hara\n"[..],
        b"Name,Notes\nDana,Dana\x92s key doesn\x92t turn\n",
        b"Name\nThe Smiths\x92 dog\n",
    ] {
        assert_eq!(asked(apostrophes), [""; 0]);
        assert!(super::encoding::decode(apostrophes, None).contains('’'));
    }
    assert_eq!(asked(b"Name\nO\x92Hara\nGarc\x92a\n").len(), 2);
    assert_eq!(asked(b"Name\nDvo\xf8\xe1k\n"), ["Dvoøák", "Dvořák"]);
    assert_eq!(
        asked(b"Name\n\xc8\xe2\xe0\xed\n")
            .first()
            .map(String::as_str),
        Some("Иван")
    );
}

#[test]
fn cards_say_all_that_they_have() {
    let apple = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Hill;Dana;;;\r\nFN:Dana Hill\r\nORG:Hill & Co;\r\n\
        TEL;type=CELL;type=VOICE;type=pref:(206) 555-0101\r\nitem1.TEL:(206) 555-0102\r\n\
        item1.X-ABLabel:_$!<Other>!$_\r\nitem4.X-ABRELATEDNAMES:Rex\r\nitem4.X-ABLabel:Dog\r\n\
        BDAY;value=date:1980-01-02\r\nNOTE:Key under mat\\, back\r\n  door\r\nPRODID:x\r\nEND:VCARD\r\n";
    assert_eq!(
        first(apple).0,
        json!({
            "name": "Dana Hill", "phone": "(206) 555-0101",
            "internal_notes": "(206) 555-0102\nKey under mat, back door\nOrganization: Hill & Co\nDog: Rex\n\
                               Birthday: 1980-01-02",
        })
    );
    let company =
        "BEGIN:VCARD\nVERSION:4.0\nFN:\nORG:Paws Inc\nEMAIL:mailto:p@example.com\nEND:VCARD\n";
    assert_eq!(
        first(company).0,
        json!({ "name": "Paws Inc", "email": "p@example.com" })
    );
    let android = "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;\r\n\
        TEL;CELL;PREF:+491715550100\r\nLABEL;HOME;ENCODING=QUOTED-PRINTABLE:12 Elm St=0D=0ASa=\r\nlem\r\n\
        X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Jo;1;;;;\r\nEND:VCARD\r\n";
    assert_eq!(
        first(android).0,
        json!({
            "name": "Jörg Müller", "phone": "+491715550100", "address": "12 Elm St, Salem",
            "internal_notes": "More: Jo",
        })
    );
}

#[test]
fn lists_of_other_programs_keep_every_cell() {
    let time_to_pet = "Client ID,First Name,Last Name,Mobile Phone,Address,Address 2,City,State,Zip,Status,Lockbox Code,\
        Pet 1 Name,Pet 1 Type,Pet 1 Weight,Pet 1 Medications,Pet 2 Name,Pet 2 Type,Pet 2 Weight,Pet 2 Medications,Balance\n\
        17,Dana,Hill,206-555-0101,12 Elm St,Apt 4,Salem,OR,97301,Active,4711,Rex,Dog,60 lb,,Tom,Cat,9 lbs,Insulin,$12.00\n";
    assert_eq!(
        first(time_to_pet),
        (
            json!({
                "name": "Dana Hill", "phone": "206-555-0101", "address": "12 Elm St, Apt 4, Salem, OR 97301",
                "access_notes": "4711", "internal_notes": "Status: Active\nBalance: $12.00",
            }),
            json!([
                { "name": "Rex", "pet_type": "dog", "weight": 60.0 },
                { "name": "Tom", "pet_type": "cat", "weight": 9.0, "about": "Insulin" },
            ])
        )
    );
    let leash_time = "First Name,Last Name,Alternate First Name,Alternate Email,Cell Phone,Street,Apt,City,Pets,Pet Types,\
        Leash Location\nDana,Hill,Sam,s@example.com,206-555-0101,12 Elm St,4B,Salem,\"Rex, Tom\",\"Dog, Cat\",Hall\n";
    assert_eq!(
        first(leash_time),
        (
            json!({
                "name": "Dana Hill", "email": "s@example.com", "phone": "206-555-0101",
                "address": "12 Elm St, 4B, Salem", "internal_notes": "Alternate First Name: Sam\nLeash Location: Hall",
            }),
            json!([{ "name": "Rex", "pet_type": "dog" }, { "name": "Tom", "pet_type": "cat" }])
        )
    );
    let precise = "Client;Client Since;Cell;Pets;Uses Keys;Client's Vet;Born/Age\n\
        Dana Hill;01.02.2019;206-555-0102;\"Rex (Dog), Tom (Cat)\";Key 14;Lake Vet;5 years\n";
    assert_eq!(
        first(precise),
        (
            json!({
                "name": "Dana Hill", "phone": "206-555-0102", "access_notes": "Key 14", "vet": "Lake Vet",
                "internal_notes": "Client Since: 01.02.2019",
            }),
            json!([
                { "name": "Rex", "pet_type": "dog", "about": "Born/Age: 5 years" },
                { "name": "Tom", "pet_type": "cat" },
            ])
        )
    );
    let scout = "Owner First Name,Owner Last Name,Owner Phone,Secondary Owner Name,Dog 1,Dog 1 Breed,Dog 2,Dog 2 Breed\n\
        Dana,Hill,2065550101,Sam Hill,Rex,Lab,Luna,Pug\n";
    assert_eq!(
        first(scout),
        (
            json!({
                "name": "Dana Hill", "phone": "2065550101", "internal_notes": "Secondary Owner Name: Sam Hill",
            }),
            json!([{ "name": "Rex", "breed": "Lab" }, { "name": "Luna", "breed": "Pug" }])
        )
    );
    let contacts = "Primary Contact\tSecondary Contact\tPets\tBreed\nDana Hill\tSam Hill\tRex, Luna\tLab, Pug\n";
    assert_eq!(
        first(contacts),
        (
            json!({ "name": "Dana Hill", "internal_notes": "Secondary Contact: Sam Hill" }),
            json!([{ "name": "Rex", "breed": "Lab" }, { "name": "Luna", "breed": "Pug" }])
        )
    );
}

#[test]
fn prices_chips_and_vaccinations_have_columns() {
    assert_eq!(
        first(
            "Client,Pet,30 min rate,45 min rate,60 min rate,Walk price,Drop-in price,Microchip number,Neutered,Vet clinic,\
             Rabies vaccination date,Pet age\n\
             Dana,Rex,25,$30/walk,\"40,50\",35 per walk,$27.50,985112000000001,spayed,Lake Vet,5/31/2026,5 yrs 2 mos\n"
        ),
        (
            json!({
                "name": "Dana", "walk_rate_30min": 25.0, "walk_rate_45min": 30.0, "walk_rate_60min": 40.5,
                "pricing_walk": 35.0, "pricing_dropin": 27.5, "vet": "Lake Vet",
            }),
            json!([{
                "name": "Rex", "microchipped": "yes", "spayed_neutered": "yes",
                "about": "Microchip number: 985112000000001\nRabies vaccination date: 5/31/2026\nPet age: 5 yrs 2 mos",
            }])
        )
    );
}

#[test]
fn weights_are_read_in_every_unit_that_people_write() {
    let weight = |header: &str, cell: &str| {
        first(&format!("Client,Pet,{header}\nGina,Pip,\"{cell}\"\n")).1[0]["weight"].clone()
    };
    for (cell, pounds) in [
        ("12 kilos", 26.5),
        ("12,5 kg", 27.6),
        ("4500 g", 9.9),
        ("30lb", 30.0),
        ("~30 lbs", 30.0),
        ("about 30 lbs.", 30.0),
        ("9 lb 4 oz", 9.3),
        ("1.5 st", 21.0),
        ("14 oz", 0.9),
        ("1,200 g", 2.6),
    ] {
        assert_eq!(weight("Weight", cell), pounds, "{cell}");
    }
    assert_eq!(weight("Weight in g", "4500"), 9.9);
    assert_eq!(weight("Gewicht in kg", "12,5"), 27.6);
    assert_eq!(weight("Weight (kilos)", "12"), 26.5);
    let (_, dogs) = first("Client,Pet,Weight\nGina,Pip,unknown\nGina,Bo,30-35 lbs\n");
    assert_eq!(
        dogs,
        json!([{ "name": "Pip" }, { "name": "Bo", "about": "Weight: 30-35 lbs" }])
    );
}

#[test]
fn dates_are_read_however_they_are_written_out() {
    for cell in [
        "May 31, 2020",
        "31 May 2020",
        "31-May-2020",
        "Sunday, 31st May 2020",
        "31. Mai 2020",
        "31.05.2020",
        "31-05-2020",
        "05/31/2020 12:00:00 AM",
        "2020-05-31 00:00:00",
        "2020-05-31T00:00:00Z",
        "20200531",
    ] {
        let (_, dogs) = first(&format!("Client,Pet,Birthday\nGina,Pip,\"{cell}\"\n"));
        assert_eq!(dogs[0]["birthday"], "2020-05-31", "{cell}");
    }
    // No day, but not nothing.
    for cell in ["2019", "May 2019", "2020-05", "5 years", "3 yrs 2 mos"] {
        let (_, dogs) = first(&format!("Client,Pet,Birthday\nGina,Pip,{cell}\n"));
        let about = format!("Birthday: {cell}");
        assert_eq!(dogs, json!([{ "name": "Pip", "about": about }]), "{cell}");
    }
}

#[test]
fn the_order_of_dates_that_nothing_tells_is_asked_once_for_a_column() {
    let table =
        read(b"Client,Pet,Birthday,Adopted\nGina,Pip,05/04/2020,01.02.2021\nKim,Bo,06/07/2020,\n");
    let shown = |dates: &[DateAnswer]| {
        let choice = ImportChoice {
            dates: dates.to_vec(),
            ..ImportChoice::default()
        };
        preview(
            &table,
            &table.guess(),
            &[],
            &choice,
            "2026-11-28".parse().unwrap(),
        )
        .unwrap()
    };
    let found = shown(&[]);
    assert_eq!(found.dates.len(), 1);
    let question = &found.dates[0];
    assert_eq!(
        (
            question.column,
            question.name.as_str(),
            question.example.as_str()
        ),
        (2, "Birthday", "05/04/2020")
    );
    assert_eq!(
        (
            question.day_first.to_string(),
            question.month_first.to_string(),
            question.is_day_first
        ),
        ("2020-04-05".to_owned(), "2020-05-04".to_owned(), None)
    );
    for (is_day_first, born) in [
        (true, ["2020-04-05", "2020-07-06"]),
        (false, ["2020-05-04", "2020-06-07"]),
    ] {
        let found = shown(&[DateAnswer {
            column: 2,
            is_day_first,
        }]);
        let days = [0, 1].map(|it| dogs(&found, it)[0]["birthday"].clone());
        assert_eq!(days, born);
        assert_eq!(found.dates[0].is_day_first, Some(is_day_first));
        assert_eq!(found.notices, [""; 0]);
    }
    // Where both ways stand in a column, the answer is for those that could be either.
    let mixed = read(b"Client,Pet,Birthday\nA,a,05/04/2020\nB,b,31/05/2019\nC,c,05/31/2019\n");
    let choice = ImportChoice {
        dates: vec![DateAnswer {
            column: 2,
            is_day_first: true,
        }],
        ..ImportChoice::default()
    };
    let today = "2026-11-28".parse().unwrap();
    let found = preview(&mixed, &mixed.guess(), &[], &choice, today).unwrap();
    let days = [0, 1, 2].map(|it| dogs(&found, it)[0]["birthday"].clone());
    assert_eq!(days, ["2020-04-05", "2019-05-31", "2019-05-31"]);
    // One date that can only be read in one way answers.
    let found = shown_of(&read(
        b"Client,Pet,Birthday\nGina,Pip,05/04/2020\nKim,Bo,31/05/2019\n",
    ));
    assert_eq!(found.dates, []);
}

#[test]
fn numbers_of_spreadsheets_and_among_words_are_phone_numbers() {
    for (cell, phone, notes) in [
        ("2065550109.0", "2065550109", ""),
        ("2.065550116E+9", "2065550116", ""),
        (
            "call after 5pm 206-555-0105",
            "206-555-0105",
            "Phone: call after 5pm 206-555-0105",
        ),
        (
            "206-555-0114 / 0115",
            "206-555-0114",
            "Phone: 206-555-0114 / 0115",
        ),
        (
            "206 555 0117 206 555 0118",
            "206 555 0117",
            "Phone: 206 555 0117 206 555 0118",
        ),
        (
            "h 206-555-0111 c 206-555-0112",
            "206-555-0111",
            "Phone: h 206-555-0111 c 206-555-0112",
        ),
        (
            "206-555-0102, 206-555-0103 (wife)",
            "206-555-0102",
            "Phone: 206-555-0103 (wife)",
        ),
        (
            "tel:+12065550108",
            "+12065550108",
            "Phone: tel:+12065550108",
        ),
        ("ask Sam", "", "Phone: ask Sam"),
    ] {
        let (client, _) = first(&format!("Client,Phone,Pet name\nGina,\"{cell}\",Pip\n"));
        assert_eq!(
            client["phone"].as_str().unwrap_or_default(),
            phone,
            "{cell}"
        );
        assert_eq!(
            client["internal_notes"].as_str().unwrap_or_default(),
            notes,
            "{cell}"
        );
    }
}

#[test]
fn the_header_is_found_wherever_it_stands_and_can_be_chosen() {
    for text in [
        "Report,,,\nGenerated:,2026-11-01,,\nFilter:,Active,,\nClient Name,Phone Number,Pets,Address\nDana,206-555-0101,Rex,1 Elm\n",
        ",,,\n,,,\nName,Phone,Pet,Breed\nDana,206-555-0101,Rex,Lab\n",
        "Clients as of 11/20/2026\nName,Phone,Pet\nDana,206-555-0101,Rex\nTotal: 1\n",
    ] {
        let (client, dogs) = first(text);
        assert_eq!(
            (&client["name"], &dogs[0]["name"]),
            (&json!("Dana"), &json!("Rex"))
        );
    }
    let found = shown("Name,Phone,Pet\nDana,206-555-0101,Rex\nTotal: 1,,\n");
    assert_eq!(
        found.notices,
        ["Row 3, “Total: 1”, is no client and is left out."]
    );
    assert_eq!(found.clients.len(), 1);

    // No row has names: all of them are clients.
    let table =
        read(b"Dana Hill,206-555-0101,d@example.com,Rex\nKim Lee,206-555-0102,k@example.com,Bo\n");
    assert_eq!(
        table.header,
        ["Column A", "Column B", "Column C", "Column D", "Pets"]
    );
    assert_eq!((table.header_row, table.rows.len()), (Some(0), 2));
    assert_eq!(
        written(&table.guess()),
        [
            "internal_notes",
            "phone",
            "email",
            "internal_notes",
            "pet_name"
        ]
    );
    // The person says otherwise, and back.
    let below = table.clone().with_header(1);
    assert_eq!(
        (below.header[0].as_str(), below.rows.len()),
        ("Dana Hill", 1)
    );
    assert_eq!(below.with_header(0), table);
    let chosen = read_columns(["name", "phone", "email", "pet_name", ""]).unwrap();
    let found = preview(
        &table,
        &chosen,
        &[],
        &ImportChoice::default(),
        "2026-11-28".parse().unwrap(),
    )
    .unwrap();
    assert_eq!((found.n_clients, found.n_dogs, found.n_wrong), (2, 2, 0));
}

#[test]
fn quotation_marks_in_the_middle_of_a_cell_are_kept() {
    let found = shown(
        "Client,Phone,Pet,Notes\nDana \"DD\" Hill,206-555-0101,Rex,likes \"sit\"\n\
         Kim,206-555-0102,\"Bo \"the beast\" Lee\",x\nSam,206-555-0103,Mo,\"ends with \"quote\"\"\n",
    );
    assert_eq!(problems(&found), []);
    assert_eq!(client(&found, 0)["name"], "Dana \"DD\" Hill");
    assert_eq!(dogs(&found, 1)[0]["name"], "Bo \"the beast\" Lee");
    assert_eq!(client(&found, 2)["internal_notes"], "ends with \"quote\"");
    // One that nothing closes takes no other cell in.
    let found = shown("Client,Notes,Pet\nDana,\"never closed,\"Rex\"\n");
    assert_eq!(dogs(&found, 0)[0]["name"], "Rex");
    assert_eq!(found.n_wrong, 1);
}

#[test]
fn a_row_that_comes_twice_brings_its_pet_once() {
    let found = shown(
        "Client,Phone,Pet,Breed\nDana,206-555-0101,Rex,Lab\nDana,206-555-0101,Rex,Lab\nDana,(206) 555-0101,Rex,\n\
         DANA,206-555-0101,rex,\nDana,206-555-0101,Rex,Pug\n",
    );
    assert_eq!(
        client(&found, 0),
        json!({ "name": "Dana", "phone": "206-555-0101" })
    );
    let breeds: Vec<&Value> = found.clients[0]
        .dogs
        .iter()
        .map(|it| &it.0["breed"])
        .collect();
    assert_eq!(
        (found.clients.len(), breeds),
        (1, vec![&json!("Lab"), &json!("Pug")])
    );
}

#[test]
fn columns_of_which_something_has_no_field_are_told() {
    let found = shown(
        "Client,Pet,Insurance,Loyalty,Photo,Phone\nA,a,Pol 1,,p1.jpg,206-555-0101 x1\nB,b,Pol 2,Gold,p2.jpg,\n\
         C,c,Pol 2,,,\nD,d,Pol 3,,,\nE,e,Pol 4,,,\n",
    );
    assert_eq!(
        client(&found, 1)["internal_notes"],
        "Insurance: Pol 2\nLoyalty: Gold"
    );
    let kept: Vec<(&str, bool, Vec<&str>)> = { found.kept.iter() }
        .map(|it| {
            let examples = it.examples.iter().map(String::as_str).collect();
            (it.name.as_str(), it.is_left_out, examples)
        })
        .collect();
    assert_eq!(
        kept,
        [
            ("Insurance", false, vec!["Pol 1", "Pol 2", "Pol 3"]),
            ("Loyalty", false, vec!["Gold"]),
            ("Photo", true, vec!["p1.jpg", "p2.jpg"]),
            ("Phone", false, vec!["206-555-0101 x1"]),
        ]
    );
}

#[test]
fn owners_and_pets_of_two_files_are_joined_by_a_column() {
    let owners = read(
        b"Client ID,Name,Phone\n1,Dana,206-555-0101\n2,Kim,206-555-0102\n3,Sam,206-555-0103\n",
    );
    let pets = read(b"Owner ID,Name,Breed\n2,Bo,Lab\n1,Rex,Pug\n1,Luna,\n9,Stray,\n");
    let joined = join(&Join {
        owners,
        owner_column: 0,
        pets,
        pet_column: 0,
    });
    assert_eq!(
        joined.table.header,
        ["Client ID", "Name", "Phone", "Pet Name", "Breed"]
    );
    assert_eq!(
        (joined.n_unmatched, joined.unmatched),
        (1, vec!["row 5: 9, Stray".to_owned()])
    );
    let found = shown_of(&joined.table);
    assert_eq!(problems(&found), []);
    let pets = |place: usize| {
        dogs(&found, place)
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["name"].clone())
            .collect::<Vec<Value>>()
    };
    assert_eq!(
        (pets(0), pets(1), pets(2)),
        (vec![json!("Rex"), json!("Luna")], vec![json!("Bo")], vec![])
    );
    assert_eq!(found.clients[2].state, ImportState::Ready);
}

#[test]
fn a_pet_is_given_to_none_of_two_clients_of_one_name() {
    let owners =
        b"Name,Email\nKim Lee,kim1@example.org\nKim Lee,kim2@example.org\nDana,d@example.org\nDana,d@example.org\n";
    let pets = read(b"Owner,Name\nKim Lee,Bo\nkim lee,Mo\nDana,Rex\n");
    let joined = join(&Join {
        owners: read(owners),
        owner_column: 0,
        pets,
        pet_column: 0,
    });
    let left = ["row 2: Kim Lee, Bo", "row 3: kim lee, Mo"];
    assert_eq!(
        (joined.n_unmatched, joined.unmatched),
        (2, left.map(str::to_owned).to_vec())
    );
    let rows = joined.table.rows.iter().map(|it| it.cells.join("|"));
    let rows: Vec<String> = rows.collect();
    assert_eq!(
        rows[..3],
        [
            "Kim Lee|kim1@example.org|",
            "Kim Lee|kim2@example.org|",
            "Dana|d@example.org|Rex"
        ]
    );
}

#[test]
fn words_for_nothing_are_read_as_nothing() {
    let found = shown(
        "Client,Email,Pet,Birthday,Sex,Microchip\nKim,N/A,Bo,-,?,none\nSam,none,n/a,,,\n\
         Li,l@e.com / m@e.com,\"Xi (Lab, 5), Yo\",Spring 2019,Spayed,\nPo,Po Lee <p@e.com>,Za,unknown,reu,\n",
    );
    assert_eq!(problems(&found), []);
    assert_eq!(
        (client(&found, 0), dogs(&found, 0)),
        (
            json!({ "name": "Kim" }),
            json!([{ "name": "Bo", "sex": "unknown", "microchipped": "no" }])
        )
    );
    assert_eq!(
        (client(&found, 1), dogs(&found, 1)),
        (json!({ "name": "Sam" }), json!([]))
    );
    assert_eq!(
        (client(&found, 2), dogs(&found, 2)),
        (
            json!({ "name": "Li", "email": "l@e.com", "internal_notes": "Email: m@e.com" }),
            json!([{ "name": "Xi (Lab, 5)", "about": "Birthday: Spring 2019", "sex": "female" }, { "name": "Yo" }])
        )
    );
    assert_eq!(
        (client(&found, 3), dogs(&found, 3)),
        (
            json!({ "name": "Po", "email": "p@e.com", "internal_notes": "Email: Po Lee <p@e.com>" }),
            json!([{ "name": "Za", "sex": "male" }])
        )
    );
}

#[test]
fn headers_of_databases_and_of_pages_are_known() {
    assert_eq!(
        columns_of("ClientName,MobilePhone,EmailAddress,PetName1,PetBreed1,PetName2,petBreed2"),
        [
            "name",
            "phone",
            "email",
            "pet_name",
            "pet_breed",
            "pet_name.2",
            "pet_breed.2"
        ]
    );
    let found =
        shown("Name,Phone,Pet\nDana,206-555-0101,Rex\nName,Phone,Pet\nKim,206-555-0102,Bo\n");
    assert_eq!(
        found.notices,
        ["Row 3, “Name”, is no client and is left out."]
    );
    assert_eq!((found.n_clients, found.n_wrong), (2, 0));
}

#[test]
fn fields_that_a_person_has_added_to_a_card_are_kept() {
    let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Kim Lee\nX-GATE-CODE:4711\nX-ABUID:1\nX-APPLE-X:2\nGENDER:F\nEND:VCARD\n";
    assert_eq!(
        first(card).0,
        json!({ "name": "Kim Lee", "internal_notes": "Gate code: 4711\nGender: F" })
    );
}
