//! Owns the demo business that people see: in Baltimore, around Patterson Park, in dollars and miles.

use super::PET_PARENT;
use super::town::{Person, Town};

/// Fells Point and Canton in Baltimore, Maryland.
pub static BALTIMORE: Town = Town {
    zone: "America/New_York",
    area: "Baltimore (demo)",
    extract: include_bytes!("../../../demo/baltimore.osm.pbf"),
    sitter: "Grace Turner",
    business: "Harbor Tails",
    handle: "harbor-tails",
    phone: "410-555-0100",
    district: "Upper Fells Point, Baltimore",
    lat: 39.287,
    lng: -76.585,
    people: &PEOPLE,
    emergency_contact: "June, my sister: 410-555-0142",
    vet: "Dr. Sutton at the Canton clinic, 410-555-0177",
    advice: "https://www.aspca.org/pet-care",
    track: Some((AROUND_PATTERSON_PARK, 2_306)),
};

/// From 2009 East Pratt Street through Patterson Park and back by Gough Street, on ways of the extract; what is within
/// 200 m of the door is left out.
const AROUND_PATTERSON_PARK: &str = r"gk`}iAnemaqCaAmr@s@ij@fCGKyRLkKCcHCyD{@uF_@wCUsCQcKGaF[yGm@wD{AsHm@iFM}BJiB}[i]p@}I|@qVP{EpIaDb@qDSaGmAkEiCu@RaCN_Ax@qAy@cNkCkc@{CcA}MiEuIuDtItD|MhEzCbAxFlB`LzCtFpBxHvDfJ{CnGyAhE{@lDs@fHeA`EwAdCe@dDw@dJq@zJ?vPZvV@|Tu@pGe@vE{@nCwApCiCXbCOrAc@z@_AdAeAnCeAvD{BtD}@~BWfCEnGIt][xIMvG}@pF_AhEQ~COdGCzDDtDb@fFl@xDpA`EfBnEfDpF|BlExAfDr@hC^jCB~BO~BYjAEjAJdAVz@v@`Av@\`A~A|BrGhAlEk@n@{DpDaEvByE`Bq@LcF|@oAF_CNoECwDMmFo@eNcC_F_@m@?AjC_Bb@cBr@aBnA}@lBb@zKj@bHbAnHnAlIsDLt@vi@bAvr@l@~c@RnNZ~T";

const PEOPLE: [Person; 12] = [
    (
        "Rachel Kim",
        "2009 East Pratt Street, Baltimore 21231",
        "410-555-0101",
        PET_PARENT,
        39.28935,
        -76.58855,
        "Door code 4821, second floor. Key in the lockbox.",
        &[(
            "Biscuit",
            "dog",
            "Finnish Lapphund",
            44.0,
            "male",
            "Pulls at first, then walks nicely. No chicken.",
        )],
    ),
    (
        "Marcus Johnson",
        "1923 Gough Street, Baltimore 21231",
        "410-555-0102",
        "marcus@example.com",
        39.28771,
        -76.58939,
        "Ring twice; the neighbor has a key.",
        &[
            (
                "Pearl",
                "dog",
                "Samoyed",
                51.0,
                "female",
                "Loves snow, afraid of buses.",
            ),
            (
                "Scout",
                "dog",
                "Mixed",
                26.5,
                "male",
                "Ball in the left pocket.",
            ),
        ],
    ),
    (
        "Sofia Alvarez",
        "307 South Castle Street, Baltimore 21231",
        "410-555-0103",
        "sofia@example.com",
        39.28754,
        -76.58789,
        "Alarm off within 30 seconds: 1907.",
        &[(
            "Pepper",
            "dog",
            "Miniature Schnauzer",
            15.4,
            "female",
            "Barks at skateboards.",
        )],
    ),
    (
        "Ethan Brooks",
        "221 South Wolfe Street, Baltimore 21231",
        "410-555-0104",
        "ethan@example.com",
        39.28871,
        -76.59012,
        "",
        &[(
            "Bear",
            "dog",
            "Bernese Mountain Dog",
            101.0,
            "male",
            "Needs a slow pace on stairs.",
        )],
    ),
    (
        "Helen Kowalski",
        "537 South Broadway, Baltimore 21231",
        "410-555-0105",
        "helen@example.com",
        39.28470,
        -76.59312,
        "Key under the third flower pot.",
        &[(
            "Willow",
            "cat",
            "Norwegian Forest Cat",
            13.2,
            "female",
            "Hides under the bed; food on the counter.",
        )],
    ),
    (
        "Tyrone Mitchell",
        "1103 South Potomac Street, Baltimore 21224",
        "410-555-0106",
        "tyrone@example.com",
        39.27975,
        -76.57372,
        "Gate 77#.",
        &[
            (
                "Rusty",
                "dog",
                "Border Terrier",
                14.3,
                "male",
                "Recall is good off lead.",
            ),
            (
                "Copper",
                "dog",
                "Border Terrier",
                13.9,
                "male",
                "Follows Rusty.",
            ),
        ],
    ),
    (
        "Priya Nair",
        "3141 Elliott Street, Baltimore 21224",
        "410-555-0107",
        "priya@example.com",
        39.27928,
        -76.57118,
        "",
        &[(
            "Luna",
            "dog",
            "Golden Retriever",
            64.0,
            "female",
            "Swims whenever she can.",
        )],
    ),
    (
        "Leo Hoffman",
        "2935 O'Donnell Street, Baltimore 21224",
        "410-555-0108",
        "",
        39.28006,
        -76.57410,
        "Code 2580, top floor, no elevator.",
        &[(
            "Gus",
            "dog",
            "French Bulldog",
            24.2,
            "male",
            "Not in the heat. Drinks a lot.",
        )],
    ),
    (
        "Ella Sanders",
        "1919 Fleet Street, Baltimore 21231",
        "410-555-0109",
        "ella@example.com",
        39.28467,
        -76.58946,
        "",
        &[(
            "Ginger",
            "dog",
            "Finnish Spitz",
            27.0,
            "female",
            "Talks to everybody.",
        )],
    ),
    (
        "Victor Reyes",
        "2324 Boston Street, Baltimore 21224",
        "410-555-0110",
        "victor@example.com",
        39.28282,
        -76.58370,
        "Key from the café downstairs.",
        &[
            (
                "Duke",
                "dog",
                "Labrador",
                70.5,
                "male",
                "Eats everything: watch the ground.",
            ),
            (
                "Olive",
                "cat",
                "Mixed",
                9.0,
                "female",
                "Tablet in the morning, in tuna.",
            ),
        ],
    ),
    (
        "Naomi Carter",
        "28 South Patterson Park Avenue, Baltimore 21231",
        "410-555-0111",
        "naomi@example.com",
        39.29081,
        -76.58482,
        "",
        &[(
            "Dash",
            "dog",
            "Whippet",
            27.5,
            "female",
            "Coat below 50 degrees.",
        )],
    ),
    (
        "Owen Gallagher",
        "1400 Lancaster Street, Baltimore 21231",
        "410-555-0112",
        "owen@example.com",
        39.28278,
        -76.59704,
        "Door code 9034.",
        &[
            (
                "Rocket",
                "dog",
                "Jack Russell Terrier",
                14.0,
                "male",
                "Thirty minutes are not enough for him.",
            ),
            (
                "Ruby",
                "dog",
                "Jack Russell Terrier",
                13.0,
                "female",
                "Is fine with thirty minutes.",
            ),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use walkies_core::rules::report::REPORT_HOME_M;
    use walkies_core::values::encoded_line::decode;
    use walkies_core::values::place::Place;
    use walkies_core::values::plane::distance_m;

    use super::*;

    #[test]
    fn the_shared_walk_leaves_out_the_door_that_it_begins_at() {
        let line = decode(AROUND_PATTERSON_PARK).expect("a line");
        let [(.., lat, lng, _, _), ..] = PEOPLE;
        let door = Place::from_degrees(lat, lng).expect("a door");
        assert!(line.iter().all(|it| REPORT_HOME_M < distance_m(*it, door)));
        let pairs = line.iter().zip(line.iter().skip(1));
        let shown_m: f64 = pairs.map(|(from, to)| distance_m(*from, *to)).sum();
        // The rest leads from the door to the line and back.
        let (_, walked_m) = BALTIMORE.track.expect("a track");
        let rest_m = f64::from(walked_m) - shown_m;
        assert!((2.0 * REPORT_HOME_M..600.0).contains(&rest_m), "{rest_m}");
    }
}
