//! Owns when a row keeps two versions of a long text: when a change replaces one that its sender had not seen
//! (decisions, Server-side rules).

use serde_json::Value;

use crate::Business;
use crate::commands::decision::Adjustment;
use crate::rows::other_text::OtherText;
use crate::rows::row::RowKey;
use crate::values::bounds;
use crate::values::form_errors::FieldErrors;
use crate::values::patch::Patch;

/// Refusal of a change that would add a version beyond `bounds::OTHER_TEXTS`.
const TOO_MANY: &str =
    "Too many versions of this text wait for a decision. Decide between them first.";

/// Adds to `others` each long text of the row `key` that `patch` replaces and that its sender had not seen, and marks the
/// matching entries of `told` as kept. `texts` are the row's long texts after the change.
///
/// INVARIANT: No long text that its replacer had not seen is lost.
pub(crate) fn keep_unseen(
    others: &mut Vec<OtherText>,
    texts: &[(&'static str, String)],
    told: &mut [Adjustment],
    business: &Business,
    key: RowKey,
    patch: &Patch,
) -> Result<(), FieldErrors> {
    for (field, text) in texts.iter().filter(|it| patch.0.contains_key(it.0)) {
        let mut changes = business.field_changes.iter();
        let unseen = changes.find(|it| it.key == key && it.field == *field);
        if let Some(unseen) = unseen
            && let Value::String(content) = &unseen.value
        {
            others.push(OtherText {
                field: (*field).to_owned(),
                content: content.clone(),
                by: unseen.by,
                at: unseen.at,
            });
        }
        tidy(others, field, text);
    }
    let mut errors = FieldErrors::default();
    if let Some(last) = others.get(bounds::OTHER_TEXTS) {
        errors.add(last.field.as_str(), TOO_MANY);
    }
    for it in told {
        if let Adjustment::Overwritten(it) = it
            && let Some(kept) = others
                .iter()
                .find(|kept| kept.field == it.field && it.theirs == kept.content.as_str())
        {
            (it.kept, it.by) = (true, kept.by);
        }
    }
    errors.or(())
}

/// Drops versions of the field that are blank, equal to `text`, or duplicates; of duplicates the newest stays.
pub(crate) fn tidy(others: &mut Vec<OtherText>, field: &str, text: &str) {
    let mut seen = vec![String::new(), text.trim().to_owned()];
    others.reverse();
    others.retain(|it| {
        if it.field != field {
            return true;
        }
        let content = it.content.trim();
        let is_new = !seen.iter().any(|it| it == content);
        seen.push(content.to_owned());
        is_new
    });
    others.reverse();
}
