/** The addresses of businesses in the network Peppol, and the identifiers of its documents. */
import { type EInvoice, type InvoiceParty, isSelfBilled } from './invoice.ts';

/** An electronic address: BT-34 of the supplier, BT-49 of the customer. */
export type Endpoint = { scheme: string; id: string };

/** Schemes of the list EAS (https://docs.peppol.eu/poacc/billing/3.0/codelist/eas/) whose numbers are VAT numbers. */
const SCHEMES: Readonly<Record<string, string>> = {
  AT: '9914',
  BG: '9926',
  CY: '9928',
  CZ: '9929',
  DE: '9930',
  EE: '9931',
  ES: '9920',
  FI: '0213',
  FR: '9957',
  GB: '9932',
  GR: '9933',
  HR: '9934',
  HU: '9910',
  IE: '9935',
  IT: '0211',
  LT: '9937',
  LU: '9938',
  LV: '9939',
  MT: '9943',
  NL: '9944',
  PL: '9945',
  PT: '9946',
  RO: '9947',
  SI: '9949',
  SK: '9950',
};

/** Schemes whose numbers are a part of the VAT number: that of the register of businesses. */
const REGISTERS: Readonly<Record<string, { scheme: string; number: RegExp }>> = {
  BE: { scheme: '0208', number: /\d{10}$/ },
  DK: { scheme: '0184', number: /\d{8}$/ },
  NO: { scheme: '0192', number: /\d{9}/ },
  SE: { scheme: '0007', number: /\d{10}/ },
};

/** The address of a business, from its VAT number. Null if it has none. */
export function endpointOf({ country, vatId }: InvoiceParty): Endpoint | null {
  if (vatId === null) return null;
  const register = REGISTERS[country];
  const id = register ? register.number.exec(vatId)?.[0] : vatId;
  const scheme = register?.scheme ?? SCHEMES[country];
  return scheme === undefined || id === undefined ? null : { scheme, id };
}

/** Suppliers whose national rules ask for fields that no document has: a city, a contact, a number of a register. */
const ASKS_FOR_MORE: ReadonlySet<string> = new Set(['DK', 'GR', 'IS', 'IT', 'NL']);

/**
 * The rules that the UBL of an invoice says it follows: those of Peppol if both parties have an address there and no
 * national rule asks for more, as within Germany; those of EN 16931 otherwise. `profile` is null for the latter.
 */
export function rulesOf(invoice: EInvoice): { customization: string; profile: string | null } {
  const { seller, buyer } = invoice;
  const isInPeppol = endpointOf(seller) !== null && endpointOf(buyer) !== null;
  const asksForMore =
    ASKS_FOR_MORE.has(seller.country) || (seller.country === 'DE' && buyer.country === 'DE');
  if (!isInPeppol || asksForMore) return { customization: 'urn:cen.eu:en16931:2017', profile: null };
  const process = isSelfBilled(invoice) ? 'selfbilling' : 'billing';
  return {
    customization: `urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:${process}:3.0`,
    profile: `urn:fdc:peppol.eu:2017:poacc:${process}:01:1.0`,
  };
}
