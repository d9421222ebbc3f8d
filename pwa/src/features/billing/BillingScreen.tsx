/** Owns the page of the subscription, where links from limits and Stripe's pages lead. */
import { Card, PageBody, PageHeader } from "../../ui";
import { Billing } from "./Billing";

export default function BillingScreen() {
  return (
    <>
      <PageHeader title="Billing" />
      <PageBody className="max-w-150">
        <Card className="md:p-5">
          <Billing />
        </Card>
      </PageBody>
    </>
  );
}
