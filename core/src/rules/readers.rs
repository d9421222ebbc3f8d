//! Owns who reads each text and photo that people fill in, beside the person who filled it in (decisions, Server-side
//! rules). Screens have the words; `core/tests/readers.rs` compares the list with what clients and public pages show.

use serde::Serialize;

/// Readers of a field beside the person who filled it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Reader {
    /// The sitter alone.
    Sitter,
    /// The sitter alone until it is shared with a report.
    Walk,
    /// The client's household, in the portal.
    Client,
    /// The client's household, in the portal or as the sitter passes it on.
    Message,
    /// All clients of the sitter.
    Clients,
    /// The client, and everybody with the link of an invoice.
    Invoice,
    /// The client, and everybody with the link of a report.
    Report,
    /// The client, and everybody with the link of a report or an invoice.
    Links,
    /// All clients of the sitter, and everybody with the link of a report or an invoice.
    Business,
}

impl Reader {
    /// Returns true if a client reads it without a further act of the sitter.
    pub const fn has_client(self) -> bool {
        !matches!(self, Self::Sitter | Self::Walk)
    }

    /// Returns true if a page reads it that everybody with its link opens.
    pub const fn has_public(self) -> bool {
        matches!(
            self,
            Self::Invoice | Self::Report | Self::Links | Self::Business
        )
    }
}

/// Makes `WrittenField` and `READERS` of lines with variant, name and reader.
macro_rules! readers {
    ($($Field:ident = $name:literal: $Reader:ident,)*) => {
        /// A text or a photo that people fill in, named by its row and its field.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        pub enum WrittenField {
            $(
                #[doc = concat!("`", $name, "`")]
                #[serde(rename = $name)]
                $Field,
            )*
        }

        /// Readers of each field.
        pub const READERS: &[FieldReader] = &[
            $(FieldReader { field: WrittenField::$Field, name: $name, reader: Reader::$Reader },)*
        ];
    };
}

/// A field with its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FieldReader {
    /// The field that a person writes.
    pub field: WrittenField,
    /// Its name as Rust has it: `client.vet`.
    #[serde(skip)]
    pub name: &'static str,
    /// Readers of the field beside the writer.
    pub reader: Reader,
}

readers! {
    BlockedTimeReason = "blocked_time.reason": Sitter,
    ClientAccessNotes = "client.access_notes": Sitter,
    ClientAddress = "client.address": Client,
    ClientBillingAddress = "client.billing_address": Invoice,
    ClientEmail = "client.email": Client,
    ClientEmergencyContact = "client.emergency_contact": Client,
    ClientHouseInstructions = "client.house_instructions": Client,
    ClientHowToGetIn = "client.how_to_get_in": Client,
    ClientInternalNotes = "client.internal_notes": Sitter,
    ClientName = "client.name": Links,
    ClientPhone = "client.phone": Client,
    ClientVet = "client.vet": Client,
    ExpenseNote = "expense.note": Sitter,
    InvoiceCreditReason = "invoice.credit_reason": Invoice,
    InvoiceExtra = "invoice.extra": Invoice,
    InvoiceNote = "invoice.note": Invoice,
    InvoicePaymentNote = "invoice.payment_note": Sitter,
    InvoicePhoto = "invoice.photo": Invoice,
    MessageContent = "message.content": Message,
    OfferingDescription = "offering.description": Clients,
    OfferingName = "offering.name": Business,
    PatternName = "pattern.pattern_name": Sitter,
    PatternNotes = "pattern.notes": Sitter,
    PetAbout = "pet.about": Client,
    PetBreed = "pet.breed": Client,
    PetName = "pet.name": Links,
    PetPhoto = "pet.photo": Links,
    ReportNote = "report.note": Report,
    SeriesInternalNotes = "series.internal_notes": Sitter,
    SeriesNotes = "series.notes": Invoice,
    SeriesPauseReason = "series.reason": Sitter,
    ServiceCompletionNotes = "service.completion_notes": Invoice,
    ServiceInternalNotes = "service.internal_notes": Sitter,
    ServiceNotes = "service.notes": Invoice,
    SitterBusinessName = "sitter.business_name": Business,
    SitterEmail = "sitter.email": Sitter,
    SitterInvoicing = "sitter.invoicing": Business,
    SitterName = "sitter.name": Business,
    SitterPhone = "sitter.phone": Business,
    SitterPhoto = "sitter.photo": Business,
    SitterServiceArea = "sitter.service_area_address": Sitter,
    WalkNote = "walk.note": Walk,
    WalkTitle = "walk.title": Sitter,
    WalkRequestMessage = "walk_request.message": Message,
    WalkRequestResponse = "walk_request.sitter_response": Message,
}
