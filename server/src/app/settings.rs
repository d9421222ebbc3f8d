//! Settings of a server, with the values that a real one has: who may sign up, rate limits, external services.

use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use walkies_core::api;

use crate::app::billing_settings::BillingSettings;
use crate::app::password::{self, Cost};
use crate::external::geocoder::GeocoderSettings;
use crate::external::push_service::sender::PushSettings;
use crate::external::service::ExternalService;
use crate::external::stripe::client::StripeSettings;
use crate::limits::disk::FreeSpace;
use crate::limits::long_writes::REST_FACTOR;
use crate::limits::rate::Rate;

/// The people who may sign up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SignUpMode {
    /// Anybody can sign up.
    #[default]
    Open,
    /// People with a link from `walkies invite` can sign up.
    Invite,
    /// Nobody can sign up.
    Closed,
}

impl From<SignUpMode> for api::SignUpMode {
    fn from(mode: SignUpMode) -> Self {
        match mode {
            SignUpMode::Open => Self::Open,
            SignUpMode::Invite => Self::Invite,
            SignUpMode::Closed => Self::Closed,
        }
    }
}

/// Numbers that differ between a real server, tests and the simulation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address under which people reach this server, without a slash at its end; for links in mail.
    pub public_url: String,
    /// True if the address of the caller is the last one in `X-Forwarded-For`: only behind a proxy that sets it.
    pub behind_proxy: bool,
    /// The people who may sign up.
    pub sign_up: SignUpMode,
    /// How plans are sold here; otherwise all that there is is free.
    pub billing: Option<BillingSettings>,
    /// True if mail goes out by SMTP; otherwise it is written to a folder.
    pub sends_mail: bool,
    /// Interval at which an open connection is pinged, and checks that its session is still valid.
    pub ping_every: Duration,
    /// The cost of hashing a password.
    pub password_cost: Cost,
    /// Tries at passwords, by address.
    pub rate_by_address: Rate,
    /// Tries at passwords, by account.
    pub rate_by_account: Rate,
    /// Rate limits of mail that its recipient has not asked for.
    pub mail: MailRates,
    /// Kilobytes that commands write, by business.
    pub rate_of_writes: Rate,
    /// Rest after a long write, as a multiple of its duration.
    pub long_write_rest: u32,
    /// Reader of the free disk space; without one no upload is refused for it.
    pub free_space: Option<Arc<dyn FreeSpace>>,
    /// Calls for the map, by address.
    pub rate_of_map: Rate,
    /// Calls for shared reports, by address.
    pub rate_of_reports: Rate,
    /// Calls for shared invoices, by address.
    pub rate_of_invoices: Rate,
    /// Calls for calendars, by address.
    pub rate_of_calendars: Rate,
    /// Rows in a page of the feed.
    pub page_size: u32,
    /// The number of files and batches of rows of an archive that are written before the next archive has its turn.
    pub import_turn: u32,
    /// Pictures of the map from elsewhere: the address of one has `{z}`, `{x}` and `{y}`.
    pub map_pictures: Option<ExternalService>,
    /// A walking directions service for places outside the mapped area: its address has `{route}`, and a key.
    pub directions: Option<ExternalService>,
    /// The geocoder for addresses outside the imported areas; otherwise only the map is searched.
    pub geocoder: Option<GeocoderSettings>,
    /// How notifications go out.
    pub push: PushSettings,
    /// The addresses and the timeout of Stripe, by which cards are paid.
    pub stripe: StripeSettings,
}

/// How much mail goes out that its recipient has not asked for.
#[derive(Clone, Copy, Debug)]
pub struct MailRates {
    /// To clients of one business.
    pub by_sender: Rate,
    /// The same in the first days of an account.
    pub by_new_sender: Rate,
    /// To one mailbox, of all businesses.
    pub by_recipient: Rate,
    /// To clients of all new accounts.
    pub of_new_senders: Rate,
    /// To clients of all businesses.
    pub of_senders: Rate,
    /// Mails of one kind that strangers ask for, a code or a link, to one mailbox.
    pub codes_by_recipient: Rate,
    /// Codes of sign-ups.
    pub codes: Rate,
}

impl Default for MailRates {
    fn default() -> Self {
        const MINUTE_MS: u32 = 60 * 1000;
        let rate = |burst, every_ms| Rate { burst, every_ms };
        Self {
            // A business moves in with its clients; more than one in five minutes nobody wins.
            by_sender: rate(200, 5 * MINUTE_MS),
            // The first clients on the first day.
            by_new_sender: rate(30, 30 * MINUTE_MS),
            // A client with many open invoices.
            by_recipient: rate(20, 60 * MINUTE_MS),
            of_new_senders: rate(500, MINUTE_MS),
            of_senders: rate(2_000, MINUTE_MS / 6),
            // Whoever finds no mail asks again; the owner's own phone has a count of its own.
            codes_by_recipient: rate(20, 30 * MINUTE_MS),
            codes: rate(2_000, MINUTE_MS / 12),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            public_url: "http://127.0.0.1:8080".to_owned(),
            behind_proxy: false,
            sign_up: SignUpMode::Open,
            billing: None,
            sends_mail: false,
            ping_every: Duration::from_secs(30),
            password_cost: password::COST,
            // A household behind one address signs in a few phones; a guesser gets twelve tries a minute.
            rate_by_address: Rate {
                burst: 20,
                every_ms: 5_000,
            },
            // Whoever forgot a password tries a few; a guesser gets 240 a day.
            rate_by_account: Rate {
                burst: 10,
                every_ms: 360_000,
            },
            mail: MailRates::default(),
            // A day's work is some hundred kilobytes, and a month of it may come at once from a phone that was away.
            rate_of_writes: Rate {
                burst: 50_000,
                every_ms: 2_000,
            },
            long_write_rest: REST_FACTOR,
            free_space: None,
            // A phone takes the 1 700 tiles of the largest place at once; a collector of maps gets 20 a second.
            rate_of_map: Rate {
                burst: 3_000,
                every_ms: 50,
            },
            // A report with all its photos at once, for several in one household; nobody guesses 128 bits at five a second.
            rate_of_reports: Rate {
                burst: 300,
                every_ms: 200,
            },
            // As for reports.
            rate_of_invoices: Rate {
                burst: 300,
                every_ms: 200,
            },
            // A service of calendars reads those of many from one address, each about once an hour.
            rate_of_calendars: Rate {
                burst: 300,
                every_ms: 200,
            },
            page_size: 1000,
            // Seconds; the table of contents is read anew each time.
            import_turn: 100,
            map_pictures: None,
            directions: None,
            geocoder: None,
            push: PushSettings::default(),
            stripe: StripeSettings::default(),
        }
    }
}
