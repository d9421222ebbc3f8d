//! Owns how the core's values stand in columns: ids, dates and times as text, instants and cents as 64-bit
//! integers, enums by their names in JSON, lists as JSON text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use walkies_core::rows::blocked_time::{BlockType, Recurrence, TimeOffNote};
use walkies_core::rows::client::{
    LiveSharing, MultipleDogMethod, Parent, ParentChange, RelationshipType,
};
use walkies_core::rows::expense::ExpenseCategory;
use walkies_core::rows::invoice::{
    InvoiceClient, InvoiceData, InvoicePayment, InvoiceRefund, InvoicedService, WriteOff,
};
use walkies_core::rows::invoicing::Invoicing;
use walkies_core::rows::message::{MessageType, Side};
use walkies_core::rows::offering::{PricingType, StayUnit};
use walkies_core::rows::other_text::OtherText;
use walkies_core::rows::pet::{Friendly, Microchipped, Neutered, PetType, Sex};
use walkies_core::rows::report::ReportContent;
use walkies_core::rows::series::{SeriesDate, SeriesEnd, SeriesPause, SeriesPhase, Trip};
use walkies_core::rows::service::{
    Correction, Delay, LiveEvent, PriceBreakdown, PriceOverride, Progress, ServiceStatus,
    ServiceType, StayTerms,
};
use walkies_core::rows::shared_mail::{SharedMail, VisitMail};
use walkies_core::rows::subscription::Subscription;
use walkies_core::rows::walk_request::{RequestStatus, RequestSubject};
use walkies_core::rules::push::Notice;
use walkies_core::values::miles::Miles;
use walkies_core::values::money::Currency;
use walkies_core::values::push::{PushKind, PushPreferences};
use walkies_core::values::report_kind::ReportKind;
use walkies_core::values::units::{HourCycle, Units};
use walkies_core::{Cents, Date, Id, Instant, Time};

/// A value on its way into a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// Text or null.
    Text(Option<String>),
    /// A 64-bit integer or null.
    Int(Option<i64>),
    /// A 64-bit float or null.
    Float(Option<f64>),
    /// True or false.
    Bool(bool),
}

impl Arg {
    /// How long it is, where its length is the sender's to choose.
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::Text(Some(text)) => text.len(),
            _ => 0,
        }
    }
}

/// A row of either database.
pub trait DbRow {
    /// A text column.
    fn text(&self, column: &str) -> sqlx::Result<Option<String>>;
    /// An integer column.
    fn int(&self, column: &str) -> sqlx::Result<Option<i64>>;
    /// A float column.
    fn float(&self, column: &str) -> sqlx::Result<Option<f64>>;
    /// A boolean column.
    fn bool(&self, column: &str) -> sqlx::Result<bool>;
}

macro_rules! db_rows {
    ($($Row:ty),*) => { $(
        impl DbRow for $Row {
            fn text(&self, column: &str) -> sqlx::Result<Option<String>> {
                self.try_get(column)
            }
            fn int(&self, column: &str) -> sqlx::Result<Option<i64>> {
                self.try_get(column)
            }
            fn float(&self, column: &str) -> sqlx::Result<Option<f64>> {
                self.try_get(column)
            }
            fn bool(&self, column: &str) -> sqlx::Result<bool> {
                self.try_get(column)
            }
        }
    )* };
}
db_rows!(SqliteRow, PgRow);

/// A value that can stand in a column.
#[diagnostic::on_unimplemented(
    note = "name a new type in a list of server/src/db/engine/column.rs: `names!` for an enum, `jsons!` for a struct or a list, \
        `nullable!` also where it is optional"
)]
pub trait Column: Sized {
    /// As an argument of a query.
    fn arg(&self) -> Arg;
    /// Out of a row; `None` for null.
    fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>>;
    /// Out of a row, where null is a value of its own or none at all.
    fn get(row: &dyn DbRow, column: &str) -> sqlx::Result<Self> {
        Self::read(row, column)?.ok_or_else(|| unreadable(column, "it is null"))
    }
}

pub(in crate::db) fn unreadable(
    column: &str,
    why: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> sqlx::Error {
    sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: why.into(),
    }
}

impl Column for String {
    fn arg(&self) -> Arg {
        Arg::Text(Some(self.clone()))
    }
    fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
        row.text(column)
    }
}

impl Column for bool {
    fn arg(&self) -> Arg {
        Arg::Bool(*self)
    }
    fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
        row.bool(column).map(Some)
    }
}

impl Column for f64 {
    fn arg(&self) -> Arg {
        Arg::Float(Some(*self))
    }
    fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
        row.float(column)
    }
}

impl Column for Cents {
    fn arg(&self) -> Arg {
        Arg::Int(Some(self.0))
    }
    fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
        Ok(row.int(column)?.map(Self))
    }
}

impl Column for Instant {
    fn arg(&self) -> Arg {
        Arg::Int(Some(self.0))
    }
    fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
        Ok(row.int(column)?.map(Self))
    }
}

impl Column for Miles {
    fn arg(&self) -> Arg {
        self.0.arg()
    }
    fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
        let tenths: Option<u32> = Column::read(row, column)?;
        Ok(tenths.map(Self))
    }
}

macro_rules! numbers {
    ($($Number:ty),*) => { $(
        impl Column for $Number {
            fn arg(&self) -> Arg {
                // No count, minute or revision comes near the end of 63 bits.
                Arg::Int(Some(i64::try_from(*self).unwrap_or(i64::MAX)))
            }
            fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
                let number = row.int(column)?;
                number.map(Self::try_from).transpose().map_err(|error| unreadable(column, error))
            }
        }
    )* };
}
numbers!(u8, u32, u64, i32, i64);

macro_rules! texts {
    ($($Text:ty),*) => { $(
        impl Column for $Text {
            fn arg(&self) -> Arg {
                Arg::Text(Some(self.to_string()))
            }
            fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
                let text = row.text(column)?;
                text.map(|it| it.parse()).transpose().map_err(|error| unreadable(column, error))
            }
        }
    )* };
}
texts!(Id, Date, Time);

macro_rules! names {
    ($($Name:ty),*) => { $(
        impl Column for $Name {
            fn arg(&self) -> Arg {
                match serde_json::to_value(self) {
                    Ok(serde_json::Value::String(name)) => Arg::Text(Some(name)),
                    _ => Arg::Text(None),
                }
            }
            fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
                let name = row.text(column)?.map(serde_json::Value::String);
                name.map(serde_json::from_value).transpose().map_err(|error| unreadable(column, error))
            }
        }
    )* };
}
names!(
    Units,
    HourCycle,
    MultipleDogMethod,
    LiveSharing,
    RelationshipType,
    PetType,
    Sex,
    Microchipped,
    Neutered,
    Friendly,
    PricingType,
    StayUnit,
    PushKind,
    ReportKind,
    BlockType,
    Recurrence,
    ServiceType,
    ServiceStatus,
    RequestStatus,
    Side,
    MessageType,
    ExpenseCategory,
    Currency
);

fn json_arg(value: &impl Serialize) -> Arg {
    Arg::Text(serde_json::to_string(value).ok())
}

fn read_json<T: DeserializeOwned>(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<T>> {
    let text = row.text(column)?;
    text.map(|it| serde_json::from_str(&it))
        .transpose()
        .map_err(|error| unreadable(column, error))
}

macro_rules! jsons {
    ($($Json:ty),*) => { $(
        impl Column for $Json {
            fn arg(&self) -> Arg {
                json_arg(self)
            }
            fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
                read_json(row, column)
            }
        }
    )* };
}
jsons!(
    InvoiceClient,
    InvoiceData,
    SharedMail,
    VisitMail,
    Invoicing,
    PriceBreakdown,
    PriceOverride,
    Progress,
    Delay,
    StayTerms,
    ReportContent,
    RequestSubject,
    SeriesEnd,
    Trip,
    Subscription,
    Notice,
    PushPreferences,
    Vec<Correction>,
    Vec<Id>,
    Vec<InvoicePayment>,
    Vec<InvoiceRefund>,
    Vec<InvoicedService>,
    Vec<LiveEvent>,
    Vec<OtherText>,
    Vec<Parent>,
    Vec<ParentChange>,
    Vec<SeriesDate>,
    Vec<SeriesPause>,
    Vec<SeriesPhase>,
    Vec<String>,
    Vec<ServiceType>,
    Vec<TimeOffNote>,
    WriteOff
);

/// A column that may be null. Implemented for those types that stand in one, since the null must have their type.
macro_rules! nullable {
    ($($Type:ty => $Arg:ident),*) => { $(
        impl Column for Option<$Type> {
            fn arg(&self) -> Arg {
                self.as_ref().map_or(Arg::$Arg(None), Column::arg)
            }
            fn read(row: &dyn DbRow, column: &str) -> sqlx::Result<Option<Self>> {
                Column::read(row, column).map(Some)
            }
        }
    )* };
}
nullable!(Id => Text, Date => Text, Recurrence => Text, f64 => Float, u32 => Int, u64 => Int, i64 => Int,
    Side => Text, Instant => Int, Cents => Int, Miles => Int, String => Text, PriceOverride => Text,
    Progress => Text, Delay => Text, SharedMail => Text, VisitMail => Text, StayTerms => Text, StayUnit => Text, RequestSubject => Text, Subscription => Text, Time => Text, Trip => Text, WriteOff => Text);
