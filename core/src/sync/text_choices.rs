//! Owns the choice between two versions of a long text, as both sides' screens show it.

use serde::Serialize;

use crate::commands::SettleText;
use crate::commands::decision::{Actor, Intent as _};
use crate::rows::client::{ACCESS_NOTES, Client};
use crate::rows::message::Side;
use crate::rows::other_text::OtherText;
use crate::rules::client_view::is_written_by_client;
use crate::rules::ways_to_client::is_in_portal;
use crate::values::bounds;
use crate::values::patch::label;
use crate::{Business, Command, Id, Instant};

/// Versions of one text, and what is sent for each way to decide.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TextChoice {
    /// Id of the client whose home or pet the text is about.
    pub client_id: Id,
    /// The pet; absent for the home.
    pub pet_id: Option<Id>,
    /// The pet's or the client's name.
    pub subject: String,
    /// The field as a person reads it.
    pub label: String,
    /// True if the client sees these versions, too, and may decide.
    pub is_shown_to_client: bool,
    /// True for how to get in where a pet parent gave one of the versions, and sees none but that.
    pub is_given: bool,
    /// The text in the field; may be empty.
    pub current: String,
    /// Command that keeps the current text.
    pub keep: Command,
    /// The other versions, the oldest first; never empty.
    pub others: Vec<TextVersion>,
    /// Keeps all of them, one below the other; absent where that is too long.
    pub keep_all: Option<Command>,
}

/// A version that is not in the field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TextVersion {
    /// The name of who wrote it.
    pub by: String,
    /// Time at which it reached the server.
    pub at: Instant,
    /// The text of this version.
    pub content: String,
    /// Puts it in the field.
    pub choose: Command,
}

/// Occurs in the JSON of each row that has other versions.
const HAS_OTHERS: &str = r#""other_texts":[{"#;

/// The undecided texts on which this person may decide. A phone of a pet parent knows none of the sitter's notes, beside
/// which what it saved itself would look like another version.
pub fn choices_for(business: &Business, actor: Actor) -> Vec<TextChoice> {
    let mut choices = text_choices(business);
    choices.retain(|it| match &it.keep {
        Command::SettleText(keep) => keep.may(actor),
        _ => false,
    });
    choices
}

/// Every undecided text: homes first, then pets.
pub fn text_choices(business: &Business) -> Vec<TextChoice> {
    let mut choices = Vec::new();
    for client in business.clients.saying(HAS_OTHERS) {
        let texts = client.long_texts();
        let of_client = (client, client.id, client.name.as_str());
        choices.extend(choices_of(business, of_client, &texts, &client.other_texts));
    }
    for pet in business.pets.saying(HAS_OTHERS) {
        if let Some(client) = business.client(pet.client_id) {
            let texts = pet.long_texts();
            let of_pet = (client, pet.id, pet.name.as_str());
            choices.extend(choices_of(business, of_pet, &texts, &pet.other_texts));
        }
    }
    choices
}

/// The choices of one row of a client: the row's id and name, its texts, and its other versions.
fn choices_of(
    business: &Business,
    (client, id, subject): (&Client, Id, &str),
    texts: &[(&'static str, String)],
    others: &[OtherText],
) -> Vec<TextChoice> {
    let choice = |(field, current): &(&'static str, String)| {
        let others: Vec<&OtherText> = others.iter().filter(|it| it.field == *field).collect();
        let all = std::iter::once(current).chain(others.iter().map(|it| &it.content));
        let settled: Vec<String> = all.cloned().collect();
        let command = |content: &str| {
            Command::from(SettleText {
                id,
                client_id: client.id,
                field: (*field).to_owned(),
                content: content.to_owned(),
                settled: settled.clone(),
            })
        };
        let filled: Vec<&str> = settled.iter().map(|it| it.trim()).collect();
        let filled: Vec<&str> = filled.into_iter().filter(|it| !it.is_empty()).collect();
        let joined = filled.join("\n\n");
        let fits = joined.chars().count() <= bounds::text(field);
        (!others.is_empty()).then(|| TextChoice {
            client_id: client.id,
            pet_id: (id != client.id).then_some(id),
            subject: subject.to_owned(),
            label: label(field),
            is_shown_to_client: is_in_portal(client)
                && (id != client.id || is_written_by_client(field)),
            is_given: *field == ACCESS_NOTES && others.iter().any(|it| it.by == Some(Side::Client)),
            current: current.clone(),
            keep: command(current),
            keep_all: (fits && filled.len() > 1).then(|| command(&joined)),
            others: others
                .iter()
                .map(|it| TextVersion {
                    by: writer(business, client, it.by),
                    at: it.at,
                    content: it.content.clone(),
                    choose: command(&it.content),
                })
                .collect(),
        })
    };
    texts.iter().filter_map(choice).collect()
}

/// The name of somebody who wrote about a client, as both sides know them.
pub(crate) fn writer(business: &Business, client: &Client, side: Option<Side>) -> String {
    let sitter = business.sitter();
    let name = match side {
        Some(Side::Client) => Some(client.name.as_str()),
        Some(Side::Sitter) => sitter.map(|it| match it.business_name.as_str() {
            "" => it.name.as_str(),
            name => name,
        }),
        None => None,
    };
    name.filter(|it| !it.is_empty())
        .unwrap_or("Someone")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::commands::decision::{Adjustment, Context};
    use crate::commands::{DeleteClient, PetPatch, UpdateClient, decide};
    use crate::rows::business::FieldChange;
    use crate::rows::client::Parent;
    use crate::rows::pet::Pet;
    use crate::rows::row::{Row, RowKey, TableName};
    use crate::rules::client_view::shown_to;
    use crate::rules::ways_to_client::access_readers;
    use crate::values::patch::Patch;
    use crate::values::zone::TimeZone;
    use crate::{Now, Refusal};

    const HOME: Id = Id::of(1);
    const REX: Id = Id::of(2);

    fn business() -> Business {
        let mut business = Business::default();
        let mut client = Client::new(HOME, Instant(0));
        client.name = "Dana Reyes".to_owned();
        let mut pet = Pet::new(REX, HOME);
        pet.name = "Rex".to_owned();
        business.put(1, Row::Client(client));
        business.put(1, Row::Pet(pet));
        business
    }

    fn ctx(actor: Actor) -> Context {
        let now = Now {
            at: Instant(50),
            zone: TimeZone::UTC,
        };
        Context {
            actor,
            ..Context::at(now)
        }
    }

    fn about(text: &str) -> Command {
        Command::from(UpdateClient {
            id: HOME,
            changes: Patch::default(),
            dogs: vec![PetPatch {
                id: REX,
                is_new: false,
                changes: Patch::of("about", text),
            }],
            removed_dogs: Vec::new(),
        })
    }

    /// Somebody else, who is on that side, has set this since the sender saw it.
    fn unseen(business: &mut Business, id: Id, field: &str, text: &str, by: Side) {
        let table = if id == HOME {
            TableName::Client
        } else {
            TableName::Pet
        };
        business.field_changes = vec![FieldChange {
            key: RowKey { table, id },
            field: field.to_owned(),
            value: json!(text),
            by: Some(by),
            at: Instant(7),
            added: Vec::new(),
        }];
    }

    #[track_caller]
    fn run(business: &mut Business, actor: Actor, command: &Command) -> Vec<Adjustment> {
        let decision = decide(command, business, &ctx(actor)).unwrap();
        business.apply(2, &decision.changes);
        business.field_changes.clear();
        decision.adjustments
    }

    /// Both have written about Rex without having seen each other's.
    fn with_two_versions() -> Business {
        let mut business = business();
        run(
            &mut business,
            Actor::Client(HOME),
            &about("allergic to chicken"),
        );
        unseen(
            &mut business,
            REX,
            "about",
            "allergic to chicken",
            Side::Client,
        );
        let told = run(&mut business, Actor::Sitter, &about("loves cheese"));
        assert!(
            matches!(&told[..], [Adjustment::Overwritten(it)] if it.kept && it.by == Some(Side::Client))
        );
        business
    }

    fn versions(business: &Business) -> (String, Vec<String>) {
        let pet = business.pet(REX).unwrap();
        let others = pet.other_texts.iter().map(|it| it.content.clone());
        (pet.about.clone(), others.collect())
    }

    #[test]
    fn no_long_text_that_its_replacer_had_not_seen_is_lost() {
        let business = with_two_versions();
        let choices = text_choices(&business);
        assert_eq!(choices.len(), 1);
        let choice = &choices[0];
        assert_eq!((choice.subject.as_str(), choice.pet_id), ("Rex", Some(REX)));
        assert_eq!(choice.current, "loves cheese");
        assert_eq!(choice.others[0].by, "Dana Reyes");
        assert_eq!(choice.others[0].at, Instant(7));
        assert_eq!(choice.others[0].content, "allergic to chicken");
    }

    #[test]
    fn only_texts_that_the_client_sees_are_said_to_be_seen_by_both() {
        let other = |field: &str| OtherText {
            field: field.to_owned(),
            content: "Code 4821".to_owned(),
            by: Some(Side::Sitter),
            at: Instant(7),
        };
        let shown = |login: Option<Id>| {
            let mut business = with_two_versions();
            let mut client = business.client(HOME).unwrap().clone();
            client.client_user_id = login;
            client.other_texts = ["access_notes", "internal_notes", "house_instructions"]
                .map(other)
                .into();
            business.put(3, Row::Client(client));
            let choices = text_choices(&business);
            choices
                .iter()
                .filter(|it| it.is_shown_to_client)
                .map(|it| it.label.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(None), Vec::<String>::new());
        assert_eq!(
            shown(Some(Id::of(9))),
            [label("house_instructions"), label("about")]
        );
    }

    #[test]
    fn at_the_door_no_version_is_missed() {
        let business = with_two_versions();
        let text = business.pet(REX).unwrap().about_in_all_versions();
        assert_eq!(text, "loves cheese\n\nallergic to chicken");
    }

    #[test]
    fn either_side_decides_for_one_version_or_for_both() {
        let choice = text_choices(&with_two_versions()).remove(0);
        let both = "loves cheese\n\nallergic to chicken";
        for (command, text) in [
            (&choice.keep, "loves cheese"),
            (&choice.others[0].choose, "allergic to chicken"),
            (choice.keep_all.as_ref().unwrap(), both),
        ] {
            for actor in [Actor::Sitter, Actor::Client(HOME)] {
                let mut business = with_two_versions();
                assert_eq!(run(&mut business, actor, command), []);
                assert_eq!(versions(&business), (text.to_owned(), Vec::new()));
                let again = decide(command, &business, &ctx(actor)).unwrap();
                assert_eq!(again.changes, [], "a repeat changes nothing");
            }
        }
    }

    #[test]
    fn a_decision_keeps_what_its_person_had_not_read() {
        let choice = text_choices(&with_two_versions()).remove(0);
        let mut business = with_two_versions();
        run(
            &mut business,
            Actor::Client(HOME),
            &about("no grapes either"),
        );
        unseen(
            &mut business,
            REX,
            "about",
            "no grapes either",
            Side::Client,
        );
        let told = run(&mut business, Actor::Sitter, &choice.keep);
        assert!(matches!(&told[..], [Adjustment::Overwritten(it)] if it.kept));
        let expected = vec!["no grapes either".to_owned()];
        assert_eq!(versions(&business), ("loves cheese".to_owned(), expected));
    }

    #[test]
    fn what_was_read_or_says_the_same_or_nothing_is_no_other_version() {
        let mut business = business();
        run(&mut business, Actor::Sitter, &about("one"));
        run(&mut business, Actor::Sitter, &about("two"));
        assert_eq!(versions(&business), ("two".to_owned(), vec![]));
        for theirs in ["two ", "", " \n"] {
            unseen(&mut business, REX, "about", theirs, Side::Client);
            run(&mut business, Actor::Sitter, &about("two"));
            assert_eq!(versions(&business).1, Vec::<String>::new(), "{theirs:?}");
        }
        let mut business = with_two_versions();
        run(&mut business, Actor::Sitter, &about("allergic to chicken"));
        assert_eq!(
            versions(&business),
            ("allergic to chicken".to_owned(), vec![])
        );
    }

    #[test]
    fn a_row_keeps_so_many_versions_and_refuses_more_with_the_words_kept() {
        let mut business = business();
        for n in 0..bounds::OTHER_TEXTS {
            unseen(
                &mut business,
                REX,
                "about",
                &format!("text {n}"),
                Side::Client,
            );
            run(&mut business, Actor::Sitter, &about("mine"));
        }
        assert_eq!(versions(&business).1.len(), bounds::OTHER_TEXTS);
        unseen(&mut business, REX, "about", "one more", Side::Client);
        let refused = decide(&about("mine, too"), &business, &ctx(Actor::Sitter)).unwrap_err();
        assert!(matches!(refused, Refusal::Invalid { .. }), "{refused:?}");
    }

    #[test]
    fn how_to_get_in_is_never_shown_to_the_parent_in_any_version() {
        let mut business = business();
        unseen(
            &mut business,
            HOME,
            "access_notes",
            "Code 4821",
            Side::Sitter,
        );
        let changes = Patch::of("access_notes", "Code 1111");
        let command = Command::from(UpdateClient {
            id: HOME,
            changes,
            dogs: Vec::new(),
            removed_dogs: Vec::new(),
        });
        run(&mut business, Actor::Sitter, &command);
        assert_eq!(text_choices(&business)[0].others[0].content, "Code 4821");
        let row = business.client(HOME).unwrap().clone();
        let shown = shown_to(HOME, &Row::Client(row)).unwrap().json().unwrap();
        assert!(!shown.contains("4821"), "{shown}");
        let settle = &text_choices(&business)[0].keep;
        let refused = decide(settle, &business, &ctx(Actor::Client(HOME)));
        assert_eq!(refused.unwrap_err(), Refusal::NotAllowed);
        let delete = Command::from(DeleteClient { id: HOME });
        assert!(decide(&delete, &business, &ctx(Actor::Sitter)).is_ok());
    }

    fn give(business: &mut Business, text: &str) -> Vec<Adjustment> {
        let command = Command::from(UpdateClient {
            id: HOME,
            changes: Patch::of("how_to_get_in", text),
            dogs: Vec::new(),
            removed_dogs: Vec::new(),
        });
        run(business, Actor::Client(HOME), &command)
    }

    fn with_own_notes(text: &str) -> Business {
        let mut business = business();
        let mut client = business.client(HOME).unwrap().clone();
        client.access_notes = text.to_owned();
        business.put(1, Row::Client(client));
        business
    }

    fn at_the_door(business: &Business) -> String {
        business.client(HOME).unwrap().access_in_all_versions()
    }

    #[test]
    fn no_pet_parent_replaces_notes_of_the_sitter_on_getting_in() {
        let mut business = with_own_notes("Key 14");
        give(&mut business, "Code 1111");
        let client = business.client(HOME).unwrap();
        assert_eq!(client.access_notes, "Key 14");
        assert_eq!(client.parent_changes[0].what, "How to get in");
        assert_eq!(at_the_door(&business), "Key 14\n\nDana Reyes: Code 1111");
        // Somebody who has read it gives a newer one.
        give(&mut business, "Code 2222");
        assert_eq!(at_the_door(&business), "Key 14\n\nDana Reyes: Code 2222");
        let mut choices = text_choices(&business);
        let choice = choices.remove(0);
        assert!(choices.is_empty() && choice.is_given && !choice.is_shown_to_client);
        assert_eq!(choices_for(&business, Actor::Sitter).len(), 1);
        assert_eq!(choices_for(&business, Actor::Client(HOME)), []);
        run(&mut business, Actor::Sitter, &choice.others[0].choose);
        assert_eq!(at_the_door(&business), "Code 2222");
        // The same again is nothing new; taking it back leaves the sitter's notes.
        give(&mut business, "Code 2222 ");
        give(&mut business, "");
        let client = business.client(HOME).unwrap();
        assert_eq!(
            (client.how_to_get_in.as_str(), client.other_texts.len()),
            ("", 0)
        );
        assert_eq!(at_the_door(&business), "Code 2222");
    }

    #[test]
    fn what_a_parent_gives_stands_where_nothing_is_noted_and_beside_what_is_noted_meanwhile() {
        let mut business = business();
        give(&mut business, "Code 1111");
        assert_eq!(at_the_door(&business), "Code 1111");
        unseen(
            &mut business,
            HOME,
            "access_notes",
            "Code 1111",
            Side::Client,
        );
        let command = Command::from(UpdateClient {
            id: HOME,
            changes: Patch::of("access_notes", "Key 14"),
            dogs: Vec::new(),
            removed_dogs: Vec::new(),
        });
        run(&mut business, Actor::Sitter, &command);
        assert_eq!(at_the_door(&business), "Key 14\n\nDana Reyes: Code 1111");
    }

    #[test]
    fn two_parents_who_did_not_read_each_other_both_reach_the_sitter() {
        for [first, second] in [["Code 1111", "Code 2222"], ["Code 2222", "Code 1111"]] {
            let mut business = with_own_notes("Key 14");
            give(&mut business, first);
            unseen(&mut business, HOME, "how_to_get_in", first, Side::Client);
            let told = give(&mut business, second);
            assert!(
                matches!(&told[..], [Adjustment::Overwritten(_)]),
                "{told:?}"
            );
            let others = &business.client(HOME).unwrap().other_texts;
            let others: Vec<&str> = others.iter().map(|it| it.content.as_str()).collect();
            assert_eq!(others, [first, second]);
        }
    }

    #[test]
    fn a_sitter_does_not_set_what_a_parent_gave_and_a_parent_reads_it_alone() {
        let mut business = with_own_notes("Key 14");
        give(&mut business, "Code 1111");
        let command = Command::from(UpdateClient {
            id: HOME,
            changes: Patch::of("how_to_get_in", "Code 3333"),
            dogs: Vec::new(),
            removed_dogs: Vec::new(),
        });
        run(&mut business, Actor::Sitter, &command);
        let row = business.client(HOME).unwrap().clone();
        assert_eq!(row.how_to_get_in, "Code 1111");
        let shown = shown_to(HOME, &Row::Client(row)).unwrap().json().unwrap();
        assert!(
            shown.contains("Code 1111") && !shown.contains("Key 14"),
            "{shown}"
        );
        assert!(!shown.contains("other_texts"), "{shown}");
    }

    #[test]
    fn the_form_says_who_reads_how_to_get_in() {
        let mut business = business();
        let readers = |it: &Business| access_readers(it, HOME);
        assert_eq!(readers(&business), "Only your sitter reads this.");
        let mut client = business.client(HOME).unwrap().clone();
        for (n, name) in [(7, "Dana"), (8, "Alex")] {
            let parent = Parent {
                user_id: Id::of(n),
                name: name.to_owned(),
                ..Parent::default()
            };
            client.add_login(parent, None);
        }
        business.put(2, Row::Client(client));
        assert_eq!(
            readers(&business),
            "Only your sitter and your household read this."
        );
    }

    #[test]
    fn a_parent_is_told_where_the_sitter_has_too_many_versions_to_decide_on() {
        let mut business = with_own_notes("Key 14");
        for n in 0..bounds::OTHER_TEXTS {
            unseen(&mut business, HOME, "how_to_get_in", "?", Side::Client);
            give(&mut business, &format!("Code {n}"));
        }
        unseen(&mut business, HOME, "how_to_get_in", "?", Side::Client);
        let command = Command::from(UpdateClient {
            id: HOME,
            changes: Patch::of("how_to_get_in", "One more"),
            dogs: Vec::new(),
            removed_dogs: Vec::new(),
        });
        let refused = decide(&command, &business, &ctx(Actor::Client(HOME))).unwrap_err();
        assert!(matches!(refused, Refusal::Invalid { .. }), "{refused:?}");
    }

    #[test]
    fn versions_that_are_too_long_together_are_not_joined() {
        let mut business = business();
        unseen(
            &mut business,
            REX,
            "about",
            &"a".repeat(4_000),
            Side::Client,
        );
        run(&mut business, Actor::Sitter, &about(&"b".repeat(4_000)));
        assert_eq!(text_choices(&business)[0].keep_all, None);
    }
}
