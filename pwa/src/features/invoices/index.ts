/** Owns what a client's page uses of invoices: recording one payment over several of them. */
export { ClientPaymentDialog } from "./ClientPaymentDialog";
