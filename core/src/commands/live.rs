//! Owns what the command does by which a sitter lets a client see a visit while it is under way.

use serde::Serialize;

use crate::commands::decision::{About, Context, Decision, Effect, Intent, Need, changed, row};
use crate::rows::row::{Change, TableName};
use crate::rows::service::{LiveEvent, Service, ServiceStatus};
use crate::rules::live::is_shown;
use crate::values::bounds;
use crate::values::json::read_by_field;
use crate::values::sort::SmallSort as _;
use crate::values::walk_event::WalkEventKind;
use crate::{Business, Id, Refusal};

/// Lets the client of a visit see photos and events before the report, and takes them back; a repeat changes nothing. The
/// newest ones are kept. A client without a login, or to whom the sitter sends nothing (`Client::sends_live`), sees none.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SendLive {
    /// Id of the service.
    pub id: Id,
    /// Photos and events that the client is to see; one that is seen already is replaced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub events: Vec<LiveEvent>,
    /// Ids of events that the client is to see no longer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub taken_back: Vec<Id>,
}

read_by_field!(SendLive { id } or default { events, taken_back });

impl Intent for SendLive {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = vec![row(TableName::Service, self.id)];
        let service = business.service(self.id);
        needs.extend(service.map(|it| row(TableName::Client, it.client_id)));
        needs.extend(self.photos().map(Need::Photo));
        needs.push(changed(TableName::Service, self.id));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let current = business.service(self.id).ok_or(Refusal::Gone)?;
        let mut live = current.live.clone();
        live.retain(|it| !self.taken_back.contains(&it.id));
        // INVARIANT: A photo goes to nobody but the client whom its sender saw at the visit.
        let is_for_another = business.field_changes.iter().any(|it| {
            it.key.table == TableName::Service && it.key.id == self.id && it.field == "client_id"
        });
        if is_shown(business, current) && !is_for_another && !self.events.is_empty() {
            if current.status == ServiceStatus::Cancelled {
                let at = current.cancelled_at;
                return Err(Refusal::WasCancelled { at });
            }
            if let Some(photo) = self
                .photos()
                .find(|it| business.missing_photos.contains(it))
            {
                return Err(Refusal::PhotoMissing { photo });
            }
            // One whose photo the server did not take shows nothing.
            let shown = |it: &&LiveEvent| it.kind != WalkEventKind::Photo || it.photo.is_some();
            for event in self.events.iter().filter(shown) {
                live.retain(|it| it.id != event.id);
                live.push(LiveEvent {
                    at: event.at.min(ctx.acted_at()),
                    note: event.note.trim().to_owned(),
                    ..event.clone()
                });
            }
            live.small_sort_by_key(|it| (it.at, it.id));
            drop_oldest(&mut live);
        }
        if live == current.live {
            return Ok(Decision::default());
        }
        let former = current.live.iter().filter_map(|it| it.photo);
        let is_kept = |photo: &Id| live.iter().any(|it| it.photo == Some(*photo));
        let dropped_photos = former.filter(|it| !is_kept(it)).collect();
        let service = Service {
            live,
            ..current.clone()
        };
        Ok(Decision {
            changes: vec![Change::from(service)],
            dropped_photos,
            ..Decision::default()
        })
    }

    fn about(&self) -> About {
        About::row("Photo", Effect::Marks, TableName::Service, self.id)
    }

    /// Events were noted, and words alone were entered.
    fn words(&self) -> Option<Vec<(&str, &str)>> {
        let said = self.events.iter();
        let said = said.map(|it| (it.kind.name(), it.note.as_str()));
        Some(said.filter(|it| !it.1.is_empty()).collect())
    }
}

impl SendLive {
    fn photos(&self) -> impl Iterator<Item = Id> + '_ {
        self.events.iter().filter_map(|it| it.photo)
    }
}

/// Keeps the newest events, as many and as long together as a service has.
fn drop_oldest(live: &mut Vec<LiveEvent>) {
    let chars =
        |live: &[LiveEvent]| -> usize { live.iter().map(|it| it.note.chars().count()).sum() };
    while live.len() > bounds::LIVE_EVENTS || chars(live) > bounds::LIVE_CHARS {
        live.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::rows::business::FieldChange;
    use crate::rows::client::{Client, LiveSharing};
    use crate::rows::row::Row;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Now};

    fn event(number: u128, kind: WalkEventKind) -> LiveEvent {
        LiveEvent {
            id: Id::of(number),
            kind,
            at: Instant(i64::try_from(number).unwrap() * 1000),
            note: String::new(),
            photo: (kind == WalkEventKind::Photo).then(|| Id::of(1000 + number)),
        }
    }

    fn service() -> Service {
        Service {
            client_id: Id::of(2),
            ..Service::new(Id::of(1), Instant(0))
        }
    }

    fn client() -> Client {
        Client {
            client_user_id: Some(Id::of(7)),
            ..Client::new(Id::of(2), Instant(0))
        }
    }

    /// Decides on the rows alone that the command names, as the server does.
    fn decided(
        command: &SendLive,
        service: &Service,
        client: &Client,
    ) -> Result<Decision, Refusal> {
        let ctx = Context::at(Now {
            at: Instant(1_000_000),
            zone: TimeZone::UTC,
        });
        let mut business = Business::default();
        let put = |row: Row, business: &mut Business| {
            let key = row.key();
            let needs = command.needs(business, &ctx);
            assert!(needs.contains(&Need::Row(key)), "{key:?} is not loaded");
            business.put(1, row);
        };
        put(Row::Service(service.clone()), &mut business);
        put(Row::Client(client.clone()), &mut business);
        command.decide(&business, &ctx)
    }

    fn send(events: Vec<LiveEvent>) -> SendLive {
        SendLive {
            id: Id::of(1),
            events,
            taken_back: Vec::new(),
        }
    }

    #[track_caller]
    fn live_after(decision: &Decision) -> Vec<LiveEvent> {
        match decision.changes.as_slice() {
            [Change::Put(Row::Service(it))] => it.live.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_photo_is_seen_until_it_is_taken_back() {
        let photo = event(1, WalkEventKind::Photo);
        let sent = decided(&send(vec![photo.clone()]), &service(), &client()).unwrap();
        assert_eq!(live_after(&sent), [photo]);
        assert!(sent.dropped_photos.is_empty());
        let under_way = Service {
            live: live_after(&sent),
            ..service()
        };
        let again = decided(&send(under_way.live.clone()), &under_way, &client()).unwrap();
        assert_eq!(again, Decision::default());
        let back = SendLive {
            taken_back: vec![Id::of(1)],
            ..send(Vec::new())
        };
        let back = decided(&back, &under_way, &client()).unwrap();
        assert_eq!(live_after(&back), []);
        assert_eq!(back.dropped_photos, [Id::of(1001)]);
    }

    #[test]
    fn a_photo_goes_to_nobody_but_the_client_whom_its_sender_saw_at_the_visit() {
        let (service, client) = (service(), client());
        let key = Row::Service(service.clone()).key();
        let given = |field: &str| FieldChange {
            key,
            field: field.to_owned(),
            value: Value::Null,
            by: None,
            at: Instant(0),
            added: Vec::new(),
        };
        let ctx = Context::at(Now {
            at: Instant(1_000_000),
            zone: TimeZone::UTC,
        });
        let command = send(vec![event(1, WalkEventKind::Photo)]);
        let mut business = Business::default();
        business.put(1, Row::Service(service));
        business.put(1, Row::Client(client));
        let needs = command.needs(&business, &ctx);
        assert!(needs.contains(&Need::FieldChanges(key)));
        business.field_changes = vec![given("notes")];
        let sent = command.decide(&business, &ctx).unwrap();
        assert_eq!(live_after(&sent).len(), 1);
        business.field_changes = vec![given("client_id")];
        assert_eq!(command.decide(&business, &ctx), Ok(Decision::default()));
    }

    #[test]
    fn a_photo_that_was_left_out_shows_nothing() {
        let without = LiveEvent {
            photo: None,
            ..event(1, WalkEventKind::Photo)
        };
        let sent = decided(&send(vec![without]), &service(), &client());
        assert_eq!(sent, Ok(Decision::default()));
    }

    #[test]
    fn an_event_that_is_sent_again_says_the_newer_thing() {
        let potty = event(1, WalkEventKind::Potty);
        let under_way = Service {
            live: vec![potty.clone()],
            ..service()
        };
        let poop = LiveEvent {
            kind: WalkEventKind::Poop,
            ..potty
        };
        let sent = decided(&send(vec![poop.clone()]), &under_way, &client()).unwrap();
        assert_eq!(live_after(&sent), [poop]);
    }

    #[test]
    fn nothing_is_sent_to_a_client_who_is_not_to_see_it() {
        let photo = send(vec![event(1, WalkEventKind::Photo)]);
        let outside = Client::new(Id::of(2), Instant(0));
        let off = Client {
            sends_live: LiveSharing::Off,
            ..client()
        };
        for it in [outside, off] {
            assert_eq!(decided(&photo, &service(), &it), Ok(Decision::default()));
        }
        let cancelled = Service {
            status: ServiceStatus::Cancelled,
            ..service()
        };
        let refused = decided(&photo, &cancelled, &client());
        assert_eq!(refused, Err(Refusal::WasCancelled { at: None }));
    }

    #[test]
    fn the_newest_events_are_kept_and_photos_of_the_others_go() {
        let n = u128::try_from(bounds::LIVE_EVENTS).unwrap();
        let under_way = Service {
            live: (1..=n).map(|it| event(it, WalkEventKind::Photo)).collect(),
            ..service()
        };
        let one_more = event(n + 1, WalkEventKind::Water);
        let sent = decided(&send(vec![one_more]), &under_way, &client()).unwrap();
        let live = live_after(&sent);
        assert_eq!(live.len(), bounds::LIVE_EVENTS);
        assert_eq!(live.first().map(|it| it.id), Some(Id::of(2)));
        assert_eq!(sent.dropped_photos, [Id::of(1001)]);
        let long = |number| LiveEvent {
            note: "é".repeat(bounds::NOTES),
            ..event(number, WalkEventKind::Note)
        };
        let notes = send((1..=3).map(long).collect());
        let sent = decided(&notes, &service(), &client()).unwrap();
        let ids: Vec<Id> = live_after(&sent).iter().map(|it| it.id).collect();
        assert_eq!(ids, [Id::of(2), Id::of(3)]);
    }

    #[test]
    fn an_event_of_a_clock_that_is_ahead_happened_when_it_was_sent() {
        let ahead = LiveEvent {
            at: Instant(9_000_000),
            ..event(1, WalkEventKind::Water)
        };
        let sent = decided(&send(vec![ahead]), &service(), &client()).unwrap();
        let at: Vec<i64> = live_after(&sent).iter().map(|it| it.at.0).collect();
        assert_eq!(at.len(), 1);
        assert!(at[0] <= 1_000_000, "{at:?}");
    }
}
