//! Binds the core for the phone: converts, calls, converts back. No rules live here.
//!
//! What can be expected to go wrong is an answer: `Answer`; only a call of the wrong form throws.
//! Each of the features `core`, `walk`, `map`, `invoice`, `analytics` and `import` binds its part; each part is a module of its
//! own, which only those download who need it.

#[cfg(feature = "analytics")]
mod analytics;
#[cfg(feature = "core")]
mod analytics_records;
#[cfg(feature = "core")]
mod availability;
#[cfg(feature = "core")]
mod bill_all;
#[cfg(feature = "core")]
mod catalogue;
#[cfg(any(
    feature = "core",
    feature = "walk",
    feature = "map",
    feature = "invoice"
))]
mod convert;
#[cfg(feature = "core")]
mod departures;
#[cfg(feature = "core")]
mod expenses;
#[cfg(feature = "golden")]
mod golden;
#[cfg(feature = "import")]
mod import;
#[cfg(feature = "core")]
mod invoice_history;
#[cfg(feature = "invoice")]
mod invoice_page;
#[cfg(feature = "core")]
mod invoices;
#[cfg(any(
    feature = "core",
    feature = "walk",
    feature = "map",
    feature = "invoice",
    feature = "analytics",
    feature = "import"
))]
mod json;
#[cfg(feature = "core")]
mod known_clients;
#[cfg(feature = "map")]
mod map;
#[cfg(feature = "core")]
mod messages;
#[cfg(feature = "core")]
mod phone;
#[cfg(feature = "core")]
mod profile;
#[cfg(feature = "core")]
mod rules;
#[cfg(feature = "core")]
mod schedule;
#[cfg(feature = "core")]
mod series;
#[cfg(feature = "core")]
mod services;
#[cfg(feature = "core")]
mod views;
#[cfg(feature = "walk")]
mod walk;
