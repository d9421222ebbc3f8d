//! Binds what the screen of mileage and expenses shows, and a year as a table.

use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::expenses::{self, CategoryChoice, ExpenseMonth, ExpenseYear, TaxYear, YearIncome};
use crate::rows::expense::Expense;
use crate::values::miles::Miles;

/// Queries of the screen of mileage and expenses.
#[wasm_bindgen]
impl Phone {
    /// The month in which a day is; without one, today's.
    #[wasm_bindgen(js_name = expenseMonth)]
    pub fn expense_month(
        &self,
        date: Option<String>,
        now_ms: f64,
    ) -> Result<Json<ExpenseMonth>, JsError> {
        let today = self.replica.now(moment(now_ms)).today();
        let date = date.map(|it| it.parse()).transpose()?.unwrap_or(today);
        to_js(&expenses::month(self.replica.business(), date, today))
    }

    /// An entry; absent where there is none of that id.
    pub fn expense(&self, id: &str) -> Result<Option<Json<Expense>>, JsError> {
        let expense = self.replica.business().expenses.get(&id.parse()?);
        expense.map(|it| to_js(&it.row)).transpose()
    }

    /// The years to choose from, the newest first.
    #[wasm_bindgen(js_name = expenseYears)]
    pub fn expense_years(&self, now_ms: f64) -> Vec<i16> {
        let today = self.replica.now(moment(now_ms)).today();
        expenses::years(self.replica.business(), today)
    }

    /// Computes the sums of a year.
    #[wasm_bindgen(js_name = expenseYear)]
    pub fn expense_year(&self, year: i16) -> Result<Json<ExpenseYear>, JsError> {
        to_js(&expenses::year(year, self.all_expenses()))
    }

    /// A year as a table for spreadsheets.
    #[wasm_bindgen(js_name = expenseTable)]
    pub fn expense_table(&self, year: i16) -> String {
        expenses::csv(year, self.all_expenses())
    }

    /// Computes a year by the lines of Schedule C.
    #[wasm_bindgen(js_name = taxYear)]
    pub fn tax_year(&self, year: i16) -> Result<Json<TaxYear>, JsError> {
        to_js(&self.taxes(year).0)
    }

    /// A year's lines of Schedule C as a table for spreadsheets.
    #[wasm_bindgen(js_name = taxTable)]
    pub fn tax_table(&self, year: i16) -> String {
        let (taxes, expenses) = self.taxes(year);
        expenses::tax_csv(&taxes, &expenses)
    }

    /// The name of the file of that table.
    #[wasm_bindgen(js_name = taxFile)]
    pub fn tax_file(&self, year: i16) -> String {
        expenses::tax_file_name(year)
    }

    /// The name of a year's file, by what it ends with.
    #[wasm_bindgen(js_name = expenseFile)]
    pub fn expense_file(&self, year: i16, ending: &str) -> String {
        expenses::file_name(year, ending)
    }

    /// Lists the categories of expenses; mileage is none of them.
    #[wasm_bindgen(js_name = expenseCategories)]
    pub fn expense_categories(&self) -> Result<Json<[CategoryChoice]>, JsError> {
        list_to_js(&expenses::categories())
    }

    /// Returns the miles of a day with their rate and worth, in words; absent for what is no distance.
    #[wasm_bindgen(js_name = mileageText)]
    pub fn mileage_text(&self, miles: f64, date: &str) -> Result<Option<String>, JsError> {
        let date = date.parse()?;
        Ok(Miles::of(miles).map(|it| expenses::mileage_text(it, date)))
    }
}

impl Phone {
    fn taxes(&self, year: i16) -> (TaxYear, ExpenseYear) {
        let expenses = expenses::year(year, self.all_expenses());
        let income = YearIncome::of_business(year, self.replica.business());
        (expenses::tax_year(&expenses, &income), expenses)
    }

    fn all_expenses(&self) -> impl Iterator<Item = &Expense> {
        self.replica.business().expenses.values().map(|it| &it.row)
    }
}
