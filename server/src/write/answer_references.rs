//! Owns which rows a kept refusal or answer tells of beside the one that its command is about, so that the words of such
//! a row go when it is deleted: the reason of a blocked time that was in the way, the offerings of a list.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use walkies_core::{Id, Refusal};

use crate::base::error::AppError;
use crate::db::{self, MutationRow, Tx};

/// Notes what is told of, after the mutation itself.
pub async fn note(tx: &mut Tx, sitter_id: Id, mutation: &MutationRow) -> sqlx::Result<()> {
    let mut rows = BTreeSet::new();
    for text in [&mutation.refusal, &mutation.answer_body]
        .into_iter()
        .flatten()
    {
        find(&serde_json::from_str(text).unwrap_or_default(), &mut rows);
    }
    // What is about a row is found by it.
    rows.retain(|it| mutation.about_id != Some(*it));
    for row in rows {
        db::insert_mention(tx, sitter_id, row, &mutation.id).await?;
    }
    Ok(())
}

fn find(told: &Value, rows: &mut BTreeSet<Id>) {
    match told {
        Value::Object(fields) => {
            let id = fields.get("id").and_then(Value::as_str);
            rows.extend(id.and_then(|it| it.parse::<Id>().ok()));
            fields.values().for_each(|it| find(it, rows));
        }
        Value::Array(items) => items.iter().for_each(|it| find(it, rows)),
        _ => {}
    }
}

/// Forgets what was told of a row that is deleted, whatever the commands were about.
pub async fn forget(tx: &mut Tx, sitter_id: Id, row_id: Id) -> sqlx::Result<()> {
    // Nothing else that is refused tells of other rows.
    let refusal = Refusal::Conflict {
        with: Vec::new(),
        free: Vec::new(),
        next: None,
    };
    let kept = json!(refusal).to_string();
    let (_, body) = AppError::Refused(refusal).answer();
    db::forget_mentions(tx, sitter_id, row_id, kept, body.to_string()).await
}
