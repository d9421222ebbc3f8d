/** Owns what the form of an invoice holds, and the command that is made of it. */
import type { Billable, BillableService, Command, ShareInvoice } from "../../core";
import type { Media } from "./InvoiceMedia";

export interface ExtraLine {
  /** For the list alone. */
  key: string;
  label: string;
  amount: number | null;
  isDiscount: boolean;
  /** Name of its tax rate; "" for no tax. */
  taxName?: string | undefined;
}

export interface InvoiceForm {
  client_id: string;
  /** "" for the last 7 days. */
  start_date: string;
  end_date: string;
  /** Services whose tick is another one than the core proposes. */
  toggled: string[];
  note: string;
  /** "" for what the settings say. */
  due_date: string;
  extras: ExtraLine[];
  /** Photos and videos that were chosen in this form. */
  media: Media;
  /** True to leave the client's credit for a later invoice. */
  keepsCredit: boolean;
  /** Ids of the photos that a refused invoice shows already. */
  photos: string[];
  videos: string[];
  /** Names of tax rates by the ids of services, where they are not the default one; "" for no tax. */
  serviceTaxes?: Record<string, string>;
}

const NO_MEDIA: Media = { photos: [], videos: [] };

export const NEW: InvoiceForm = {
  client_id: "",
  start_date: "",
  end_date: "",
  toggled: [],
  note: "",
  due_date: "",
  extras: [],
  media: NO_MEDIA,
  keepsCredit: false,
  photos: [],
  videos: [],
};

/** Another client has other services, and other photos. */
export const forClient = (client_id: string): Partial<InvoiceForm> => ({
  client_id,
  start_date: "",
  end_date: "",
  toggled: [],
  media: NO_MEDIA,
  keepsCredit: false,
  photos: [],
  videos: [],
  serviceTaxes: {},
});

export const isTicked = (service: BillableService, toggled: readonly string[]): boolean =>
  service.is_ticked !== (service.can_bill && toggled.includes(service.view.id));

/** Returns the services that are billed: ticked ones that can be. */
export const chosenOf = (services: readonly BillableService[], toggled: readonly string[]): BillableService[] =>
  services.filter((it) => it.can_bill && isTicked(it, toggled));

/** Returns the ids that have to be toggled so that these services are ticked and no others. */
export const togglesFor = (services: readonly BillableService[], ticked: readonly string[]): string[] =>
  services.filter((it) => it.can_bill && it.is_ticked !== ticked.includes(it.view.id)).map((it) => it.view.id);

/** An invoice that was turned down, as the form shows it again. */
export function formOf(args: ShareInvoice, billable: (first?: string, last?: string) => Billable): InvoiceForm {
  const start_date = args.start_date ?? "";
  const end_date = args.end_date ?? "";
  const { services } = billable(start_date || undefined, end_date || undefined);
  return {
    client_id: args.client_id ?? "",
    start_date,
    end_date,
    toggled: togglesFor(services, args.services ?? []),
    note: args.note ?? "",
    due_date: args.due_date ?? "",
    extras: (args.extras ?? []).map(({ label, amount, tax_name }, place) => ({
      key: String(place),
      label,
      amount: Math.abs(amount),
      isDiscount: amount < 0,
      taxName: tax_name ?? undefined,
    })),
    media: NO_MEDIA,
    keepsCredit: (args.credits ?? []).length === 0,
    photos: args.photos ?? [],
    videos: args.videos ?? [],
    serviceTaxes: Object.fromEntries((args.service_taxes ?? []).map(({ id, tax_name }) => [id, tax_name ?? ""])),
  };
}

/** Builds the arguments of the command from the form, without the total. */
export function choiceOf(id: string, form: InvoiceForm, billable: Billable | undefined): ShareInvoice {
  const services = chosenOf(billable?.services ?? [], form.toggled).map((it) => it.view.id);
  const { serviceTaxes = {} } = form;
  const service_taxes = services.flatMap((id) => {
    const tax_name = serviceTaxes[id];
    return tax_name === undefined ? [] : [{ id, tax_name }];
  });
  return {
    id,
    client_id: form.client_id || null,
    services,
    start_date: billable?.range.first ?? null,
    end_date: billable?.range.last ?? null,
    photos: [...form.photos, ...form.media.photos.map((it) => it.id)],
    videos: [...form.videos, ...form.media.videos.map((it) => it.id)],
    note: form.note,
    due_date: form.due_date || null,
    extras: form.extras.map(({ label, amount, isDiscount, taxName }) => ({
      label,
      amount: (amount ?? 0) * (isDiscount ? -1 : 1),
      ...(taxName !== undefined && { tax_name: taxName }),
    })),
    total: null,
    credits: form.keepsCredit ? [] : (billable?.credits ?? []),
    ...(service_taxes.length > 0 && { service_taxes }),
  };
}

/** It goes out at the total that the person has seen, or not at all. */
export const shareCommand = (choice: ShareInvoice, total: number): Command => ({
  name: "share_invoice",
  args: { ...choice, total },
});
