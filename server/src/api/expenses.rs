//! Mileage and expenses.

use axum::extract::State;
use axum::http::{Method, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use walkies_core::commands::{CreateExpense, DeleteExpense, UpdateExpense};
use walkies_core::expenses::{self, ExpenseFormat, ExpenseYear, YearIncome};
use walkies_core::rows::expense::Expense;
use walkies_core::rows::invoice::{Invoice, InvoiceClient};
use walkies_core::rows::sitter::Sitter;
use walkies_core::{Cents, Command, Date, Id, Versioned};

use super::services::now;
use super::{command, removed, revised};
use crate::app::session::SitterUser;
use crate::app::state::{AppState, LookPermit};
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db::{self, Column as _, Tx, roll_back};
use crate::http::extract::QueryParams;
use crate::http::route::{Access, Route, get};
use crate::limits::outgoing::Taker;
use crate::print::{PrintError, expenses as paper};
use crate::write::answer::{ListWriter, Revised, ok};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/expenses",
            Access::Sitter,
            "What was driven and spent, the newest day first",
            list,
        )
        .query("date_start", "The first day")
        .query("date_end", "The last day")
        .list_of(revised::<Expense>),
        command(
            Method::POST,
            "/expenses",
            "Writes down what was driven or spent",
            |form| {
                Ok(Command::CreateExpense(CreateExpense {
                    id: form.id,
                    expense: form.patch(),
                }))
            },
        )
        .statuses(&[201])
        .body_of(|it| it.subset_of::<Expense>(Expense::EDITABLE))
        .answer_of(revised::<Expense>),
        command(
            Method::PUT,
            "/expenses/{id}",
            "Corrects what was driven or spent",
            |form| {
                Ok(Command::UpdateExpense(UpdateExpense {
                    id: form.id,
                    changes: form.patch(),
                }))
            },
        )
        .body_of(|it| it.subset_of::<Expense>(Expense::EDITABLE))
        .answer_of(revised::<Expense>),
        command(
            Method::DELETE,
            "/expenses/{id}",
            "Deletes what was driven or spent",
            |form| Ok(Command::DeleteExpense(DeleteExpense { id: form.id })),
        )
        .answer_of(removed),
        get(
            "/expenses/summary",
            Access::Sitter,
            "What a year comes to, or each of its entries as a table",
            summary,
        )
        .query("year", "This one without it")
        .query(
            "format",
            "json, csv for a file of the entries, or taxes for one of the lines of Schedule C",
        )
        .fails(&[422])
        .answer::<ExpenseYear>()
        .or_file("text/csv"),
        get(
            "/expenses/summary/pdf",
            Access::Sitter,
            "A year on paper: what it comes to, and each of its entries",
            show_paper,
        )
        .query("year", "This one without it")
        .fails(&[413, 422])
        .file("application/pdf"),
    ]
}

/// Those of some days, the newest first.
const BETWEEN: &str =
    "AND date >= $2 AND date <= $3 ORDER BY date DESC, created_at_ms DESC, id DESC";

/// Days, both included.
#[derive(Debug, Deserialize)]
struct Days {
    date_start: Option<Date>,
    date_end: Option<Date>,
}

async fn list(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(days): QueryParams<Days>,
    page: Page,
) -> Result<Response, AppError> {
    let first = days.date_start.or(Date::new(0, 1, 1)).unwrap_or_default();
    let last = days
        .date_end
        .or(Date::new(9999, 12, 31))
        .unwrap_or_default();
    let mut tx = app.db.read_autocommit().await?;
    let args = [first.arg(), last.arg()];
    let mut list = ListWriter::new(&app, Taker::Account(sitter.user_id));
    let mut total = 0;
    db::select_each::<Expense>(&mut tx, sitter.sitter_id, BETWEEN, &args, |it| {
        total += 1;
        match page.has(total - 1) {
            true => list.push(&Revised::from(it)),
            false => Ok(()),
        }
    })
    .await?;
    drop(tx);
    list.into_page(total)
}

#[derive(Debug, Deserialize)]
struct SummaryQuery {
    year: Option<i16>,
    #[serde(default)]
    format: ExpenseFormat,
}

/// A year of a business, and whose it is.
struct Look {
    year: i16,
    sitter: Sitter,
    expenses: Vec<Versioned<Expense>>,
    income: YearIncome,
    /// Ends with the work and not with its caller.
    _permit: LookPermit,
}

impl Look {
    async fn at(app: &AppState, sitter_id: Id, year: Option<i16>) -> Result<Self, AppError> {
        let permit = app.look(sitter_id).await?;
        let mut tx = app.db.read().await?;
        let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
        let Some(Versioned { row: sitter, .. }) = sitter else {
            return roll_back(tx, AppError::NotFound).await;
        };
        let today = now(app, Some(&sitter)).today();
        let year = match expenses::asked(year, today) {
            Ok(year) => year,
            Err(errors) => return roll_back(tx, errors.into()).await,
        };
        let (first, last) = (Date::new(year, 1, 1), Date::new(year, 12, 31));
        let days = [
            first.unwrap_or_default().arg(),
            last.unwrap_or_default().arg(),
        ];
        let expenses = db::select::<Expense>(&mut tx, sitter_id, BETWEEN, &days).await?;
        let income = income(&mut tx, sitter_id, year).await?;
        tx.commit().await?;
        Ok(Self {
            year,
            sitter,
            expenses,
            income,
            _permit: permit,
        })
    }

    fn rows(&self) -> impl Iterator<Item = &Expense> {
        self.expenses.iter().map(|it| &it.row)
    }

    fn year(&self) -> ExpenseYear {
        expenses::year(self.year, self.rows())
    }
}

/// Invoices on which money came in or went back in a year, by the texts of their payments.
const MOVED_IN: &str = "AND (payments LIKE $2 OR refunds LIKE $2)";

/// Adds up what a business received in a year.
async fn income(tx: &mut Tx, sitter_id: Id, year: i16) -> sqlx::Result<YearIncome> {
    let mut invoices = Vec::new();
    let of_year = format!("%d_on\":\"{year}-%").arg();
    db::select_each::<Invoice>(tx, sitter_id, MOVED_IN, &[of_year], |it| {
        // Only what money is counted by: a business may have thousands.
        invoices.push(Invoice {
            client_data: InvoiceClient::default(),
            ..it.row
        });
        Ok(())
    })
    .await?;
    let paid_alone = match expenses::days(year) {
        Some(days) => db::paid_alone(tx, sitter_id, days).await?,
        None => Cents::ZERO,
    };
    Ok(YearIncome::new(year, invoices.iter(), paid_alone))
}

async fn summary(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(query): QueryParams<SummaryQuery>,
) -> Result<Response, AppError> {
    let look = Look::at(&app, sitter.sitter_id, query.year).await?;
    let work = move || match query.format {
        ExpenseFormat::Json => ok(look.year()).into_response(),
        ExpenseFormat::Csv => {
            let table = expenses::csv(look.year, look.rows());
            file(&expenses::file_name(look.year, "csv"), table)
        }
        ExpenseFormat::Taxes => {
            let expenses = look.year();
            let taxes = expenses::tax_year(&expenses, &look.income);
            let table = expenses::tax_csv(&taxes, &expenses);
            file(&expenses::tax_file_name(look.year), table)
        }
    };
    let made = tokio::task::spawn_blocking(work).await;
    made.map_err(|it| AppError::Internal(it.into()))
}

#[derive(Debug, Deserialize)]
struct PaperQuery {
    year: Option<i16>,
}

async fn show_paper(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(query): QueryParams<PaperQuery>,
) -> Result<Response, AppError> {
    let look = Look::at(&app, sitter.sitter_id, query.year).await?;
    let year = look.year;
    let key = vec![sitter.sitter_id.to_string()];
    let print = move || {
        let entries = expenses::entries(look.year, look.rows());
        let expenses = look.year();
        let taxes = expenses::tax_year(&expenses, &look.income);
        paper::print(&look.sitter, &expenses, &taxes, &entries)
    };
    let pdf = app.print_permits.run(key, print).await?;
    let pdf = pdf.map_err(|it| match it {
        PrintError::TooLong => AppError::TooLarge(it.to_string()),
        it => AppError::Internal(it.into()),
    })?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            attachment(&expenses::file_name(year, "pdf")),
        ),
    ];
    Ok((headers, pdf).into_response())
}

fn attachment(name: &str) -> String {
    format!("attachment; filename=\"{name}\"")
}

fn file(name: &str, table: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, attachment(name)),
    ];
    (headers, table).into_response()
}
