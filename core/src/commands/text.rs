//! Owns the command that decides between two versions of a long text.

use serde::Serialize;

use crate::commands::client::note;
use crate::commands::decision::{
    About, Actor, Adjustment, Context, Decision, Effect, Intent, Need, changed, overwritten, row,
};
use crate::commands::other_text::tidy;
use crate::rows::other_text::OtherText;
use crate::rows::row::{Change, RowKey, TableName};
use crate::rules::client_view::is_written_by_client;
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Id, Refusal};

/// Decides between versions of a long text that somebody has read; what they had not read stays as another version.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SettleText {
    /// Id of the pet; or of the client, where the text is about the home.
    pub id: Id,
    /// Id of the client whose pet or home it is.
    pub client_id: Id,
    /// The field's name in JSON.
    pub field: String,
    /// The text from now on.
    pub content: String,
    /// The versions that the person has read.
    pub settled: Vec<String>,
}

read_by_field!(SettleText {
    id,
    client_id,
    field,
    content,
    settled
});

impl SettleText {
    fn key(&self) -> RowKey {
        let table = if self.id == self.client_id {
            TableName::Client
        } else {
            TableName::Pet
        };
        RowKey { table, id: self.id }
    }

    /// Applies the decision to one field of a row; returns an adjustment if the field changed meanwhile.
    fn settle(
        &self,
        text: &mut String,
        others: &mut Vec<OtherText>,
        business: &Business,
        ctx: &Context,
    ) -> Vec<Adjustment> {
        let patch = Patch::of(&self.field, self.content.as_str());
        let mut told = overwritten(business, self.key(), &patch);
        let is_settled = |it: &str| self.settled.iter().any(|known| known == it);
        others.retain(|it| it.field != self.field || !is_settled(&it.content));
        if !is_settled(text) {
            let mut changes = business.field_changes.iter();
            let unseen = changes.find(|it| it.key == self.key() && it.field == self.field);
            others.push(OtherText {
                field: self.field.clone(),
                content: text.clone(),
                by: unseen.and_then(|it| it.by),
                at: unseen.map_or(ctx.now.at, |it| it.at),
            });
            for it in &mut told {
                if let Adjustment::Overwritten(it) = it {
                    (it.kept, it.by) = (true, unseen.and_then(|it| it.by));
                }
            }
        }
        text.clone_from(&self.content);
        tidy(others, &self.field, text);
        told
    }
}

impl Intent for SettleText {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        let RowKey { table, id } = self.key();
        vec![
            row(TableName::Client, self.client_id),
            row(table, id),
            changed(table, id),
        ]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let current = business.client(self.client_id).ok_or(Refusal::Gone)?;
        let mut client = current.clone();
        let mut changes = Vec::new();
        let mut named = None;
        let adjustments = if self.id == self.client_id {
            let text = match self.field.as_str() {
                "access_notes" => &mut client.access_notes,
                "house_instructions" => &mut client.house_instructions,
                "internal_notes" => &mut client.internal_notes,
                _ => return Err(Refusal::NotAllowed),
            };
            self.settle(text, &mut client.other_texts, business, ctx)
        } else {
            let known = business.pet(self.id);
            let known = known.filter(|it| it.client_id == self.client_id);
            let known = known.ok_or(Refusal::Gone)?;
            if self.field != "about" {
                return Err(Refusal::NotAllowed);
            }
            let mut pet = known.clone();
            let told = self.settle(&mut pet.about, &mut pet.other_texts, business, ctx);
            if pet != *known {
                named = Some(known.name.as_str());
                changes.push(Change::from(pet));
            }
            told
        };
        if ctx.actor != Actor::Sitter && (client != *current || named.is_some()) {
            let fields = std::iter::once((named, &self.field));
            note(&mut client, fields, ctx.acted_at());
        }
        if client != *current {
            changes.insert(0, client.into());
        }
        Ok(Decision {
            changes,
            adjustments,
            ..Decision::default()
        })
    }

    fn about(&self) -> About {
        let RowKey { table, id } = self.key();
        let noun = if table == TableName::Pet {
            "Pet"
        } else {
            "Client"
        };
        About::row(noun, Effect::Changes, table, id)
    }

    /// A pet parent decides on the texts that a pet parent may write.
    fn may(&self, actor: Actor) -> bool {
        match actor {
            Actor::Sitter => true,
            Actor::Client(client_id) => {
                client_id == self.client_id
                    && (self.id != self.client_id || is_written_by_client(&self.field))
            }
        }
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(vec![("Text", &self.content)])
    }
}
