/** An e-invoice as UBL 2.1, the XML of the network Peppol. */
import { decimalOf } from '#domain/money.ts';
import { type Markup, xml } from '#server/platform/http/html.ts';
import type { IssuedDocument } from '../issued.ts';
import {
  type EInvoice,
  eInvoiceOf,
  type InvoiceLine,
  type InvoiceParty,
  isCredit,
  isSelfBilled,
} from './invoice.ts';
import { endpointOf, rulesOf } from './peppol.ts';

/** The e-invoice of a document as UBL; null if it has none. */
export function ublOfDocument(document: IssuedDocument): string | null {
  const invoice = eInvoiceOf(document);
  return invoice && ublOf(invoice);
}

/** The file of an invoice or credit note. The order of elements is that of the schema of UBL 2.1. [DOCU-16] */
export function ublOf(invoice: EInvoice): string {
  const { number, type, issued, note, currency, buyerReference, lines } = invoice;
  const { customization, profile } = rulesOf(invoice);
  const root = isCredit(invoice) ? 'CreditNote' : 'Invoice';
  const names = xml`xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"`;
  return String(xml`<?xml version="1.0" encoding="UTF-8"?>
${isCredit(invoice) ? xml`<CreditNote ${names}>` : xml`<Invoice ${names}>`}
<cbc:CustomizationID>${customization}</cbc:CustomizationID>
${profile !== null && xml`<cbc:ProfileID>${profile}</cbc:ProfileID>\n`}<cbc:ID>${number}</cbc:ID>
<cbc:IssueDate>${issued}</cbc:IssueDate>
${isCredit(invoice) ? xml`<cbc:CreditNoteTypeCode>${type}</cbc:CreditNoteTypeCode>` : xml`<cbc:InvoiceTypeCode>${type}</cbc:InvoiceTypeCode>`}
<cbc:Note>${note}</cbc:Note>
<cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
${buyerReference !== null && xml`<cbc:BuyerReference>${buyerReference}</cbc:BuyerReference>\n`}${referencesOf(invoice)}<cac:AccountingSupplierParty>${partyOf(invoice.seller, true)}</cac:AccountingSupplierParty>
<cac:AccountingCustomerParty>${partyOf(invoice.buyer, false)}</cac:AccountingCustomerParty>
${paymentOf(invoice)}${totalsOf(invoice)}${lines.map((line, at) => lineOf(invoice, line, at + 1))}${isCredit(invoice) ? xml`</CreditNote>` : xml`</Invoice>`}
`);
}

function referencesOf({ period, order, corrects }: EInvoice): Markup {
  return xml`${
    period &&
    xml`<cac:InvoicePeriod><cbc:StartDate>${period.from}</cbc:StartDate>${period.to !== null && xml`<cbc:EndDate>${period.to}</cbc:EndDate>`}</cac:InvoicePeriod>\n`
  }${order !== null && xml`<cac:OrderReference><cbc:ID>${order}</cbc:ID></cac:OrderReference>\n`}${
    corrects &&
    xml`<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${corrects.number}</cbc:ID>${corrects.issued !== null && xml`<cbc:IssueDate>${corrects.issued}</cbc:IssueDate>`}</cac:InvoiceDocumentReference></cac:BillingReference>\n`
  }`;
}

function partyOf(party: InvoiceParty, isSeller: boolean): Markup {
  const { name, address, country, vatId, otherTaxId } = party;
  const [first, second, ...more] = address;
  const endpoint = endpointOf(party);
  return xml`<cac:Party>
${endpoint && xml`<cbc:EndpointID schemeID="${endpoint.scheme}">${endpoint.id}</cbc:EndpointID>\n`}${
    isSeller &&
    otherTaxId !== null &&
    xml`<cac:PartyIdentification><cbc:ID>${otherTaxId}</cbc:ID></cac:PartyIdentification>\n`
  }<cac:PostalAddress>${first !== undefined && xml`<cbc:StreetName>${first}</cbc:StreetName>`}${
    second !== undefined && xml`<cbc:AdditionalStreetName>${second}</cbc:AdditionalStreetName>`
  }${
    more.length > 0 && xml`<cac:AddressLine><cbc:Line>${more.join(', ')}</cbc:Line></cac:AddressLine>`
  }<cac:Country><cbc:IdentificationCode>${country}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
${vatId !== null && taxScheme(vatId, 'VAT')}${isSeller && otherTaxId !== null && taxScheme(otherTaxId, 'TAX')}<cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName>${
    !isSeller && otherTaxId !== null && xml`<cbc:CompanyID>${otherTaxId}</cbc:CompanyID>`
  }</cac:PartyLegalEntity>
</cac:Party>`;
}

const taxScheme = (id: string, scheme: 'VAT' | 'TAX'): Markup =>
  xml`<cac:PartyTaxScheme><cbc:CompanyID>${id}</cbc:CompanyID><cac:TaxScheme><cbc:ID>${scheme}</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>\n`;

const paymentOf = ({ means, terms }: EInvoice): Markup =>
  xml`<cac:PaymentMeans><cbc:PaymentMeansCode>${means}</cbc:PaymentMeansCode></cac:PaymentMeans>
${terms !== null && xml`<cac:PaymentTerms><cbc:Note>${terms}</cbc:Note></cac:PaymentTerms>\n`}`;

function totalsOf(invoice: EInvoice): Markup {
  const { currency, tax, netCents, taxCents } = invoice;
  const amount = (name: string, cents: number) => amountOf(name, cents, currency);
  const isPaid = !isSelfBilled(invoice);
  const totalCents = netCents + taxCents;
  return xml`<cac:TaxTotal>${amount('TaxAmount', taxCents)}<cac:TaxSubtotal>${amount('TaxableAmount', netCents)}${amount('TaxAmount', taxCents)}<cac:TaxCategory>${categoryOf(tax)}${
    tax.exemption?.code && xml`<cbc:TaxExemptionReasonCode>${tax.exemption.code}</cbc:TaxExemptionReasonCode>`
  }${
    tax.exemption && xml`<cbc:TaxExemptionReason>${tax.exemption.text}</cbc:TaxExemptionReason>`
  }<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
<cac:LegalMonetaryTotal>${amount('LineExtensionAmount', netCents)}${amount('TaxExclusiveAmount', netCents)}${amount('TaxInclusiveAmount', totalCents)}${
    isPaid && amount('PrepaidAmount', totalCents)
  }${amount('PayableAmount', isPaid ? 0 : totalCents)}</cac:LegalMonetaryTotal>
`;
}

const amountOf = (name: string, cents: number, currency: string): Markup =>
  xml`<cbc:${name} currencyID="${currency}">${decimalOf(cents)}</cbc:${name}>`;

const categoryOf = ({ category, percent }: EInvoice['tax']): Markup =>
  xml`<cbc:ID>${category}</cbc:ID>${percent !== null && xml`<cbc:Percent>${percent}</cbc:Percent>`}`;

function lineOf(
  invoice: EInvoice,
  { name, detail, quantity, priceCents }: InvoiceLine,
  position: number,
): Markup {
  const { currency, tax } = invoice;
  const [line, quantityName] = isCredit(invoice)
    ? ['CreditNoteLine', 'CreditedQuantity']
    : ['InvoiceLine', 'InvoicedQuantity'];
  return xml`<cac:${line}><cbc:ID>${position}</cbc:ID><cbc:${quantityName} unitCode="C62">${quantity}</cbc:${quantityName}>${amountOf('LineExtensionAmount', quantity * priceCents, currency)}
<cac:Item>${detail !== null && xml`<cbc:Description>${detail}</cbc:Description>`}<cbc:Name>${name}</cbc:Name><cac:ClassifiedTaxCategory>${categoryOf(tax)}<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item>
<cac:Price>${amountOf('PriceAmount', priceCents, currency)}</cac:Price></cac:${line}>
`;
}
