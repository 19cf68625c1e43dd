/** Factur-X: an e-invoice as the XML of UN/CEFACT (Cross Industry Invoice D22B), to be embedded in its PDF. */
import { decimalOf } from '#domain/money.ts';
import { type Markup, xml } from '#server/platform/http/html.ts';
import { type EInvoice, type InvoiceLine, type InvoiceParty, isSelfBilled } from './invoice.ts';

/**
 * The file `factur-x.xml` of the profile EN 16931. The order of elements is that of the schema of Factur-X 1.07
 * (https://fnfe-mpe.org/factur-x/). [DOCU-15]
 */
export function facturX(invoice: EInvoice): string {
  const { number, type, issued, note, lines, seller, buyer, buyerReference, order } = invoice;
  return String(xml`<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext>
<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter>
</rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument>
<ram:ID>${number}</ram:ID>
<ram:TypeCode>${type}</ram:TypeCode>
<ram:IssueDateTime>${dateOf(issued)}</ram:IssueDateTime>
<ram:IncludedNote><ram:Content>${note}</ram:Content></ram:IncludedNote>
</rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
${lines.map((line, at) => lineOf(invoice, line, at + 1))}<ram:ApplicableHeaderTradeAgreement>
${buyerReference !== null && xml`<ram:BuyerReference>${buyerReference}</ram:BuyerReference>\n`}<ram:SellerTradeParty>${partyOf(seller, sellerIds(seller))}</ram:SellerTradeParty>
<ram:BuyerTradeParty>${partyOf(buyer, buyerIds(buyer))}</ram:BuyerTradeParty>
${order !== null && xml`<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>${order}</ram:IssuerAssignedID></ram:BuyerOrderReferencedDocument>\n`}</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery/>
${settlementOf(invoice)}</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`);
}

/** Days in the format 102: YYYYMMDD. */
const dateOf = (day: string): Markup =>
  xml`<udt:DateTimeString format="102">${day.replaceAll('-', '')}</udt:DateTimeString>`;

function lineOf(
  { tax }: EInvoice,
  { name, detail, quantity, priceCents }: InvoiceLine,
  position: number,
): Markup {
  return xml`<ram:IncludedSupplyChainTradeLineItem>
<ram:AssociatedDocumentLineDocument><ram:LineID>${position}</ram:LineID></ram:AssociatedDocumentLineDocument>
<ram:SpecifiedTradeProduct><ram:Name>${name}</ram:Name>${detail !== null && xml`<ram:Description>${detail}</ram:Description>`}</ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${decimalOf(priceCents)}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">${quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
<ram:SpecifiedLineTradeSettlement>
<ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>${tax.category}</ram:CategoryCode>${rateOf(tax)}</ram:ApplicableTradeTax>
<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${decimalOf(quantity * priceCents)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
</ram:SpecifiedLineTradeSettlement>
</ram:IncludedSupplyChainTradeLineItem>
`;
}

const rateOf = ({ percent }: EInvoice['tax']): Markup | false =>
  percent !== null && xml`<ram:RateApplicablePercent>${percent}</ram:RateApplicablePercent>`;

type PartyIds = { id: Markup | false; legal: Markup | false; tax: Markup | false };

/** A supplier has a VAT number, or another number for taxes, which also identifies them (BR-CO-26). */
const sellerIds = ({ vatId, otherTaxId }: InvoiceParty): PartyIds => ({
  id: otherTaxId !== null && xml`<ram:ID>${otherTaxId}</ram:ID>`,
  legal: false,
  tax:
    vatId === null
      ? xml`<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">${otherTaxId}</ram:ID></ram:SpecifiedTaxRegistration>`
      : vatRegistration(vatId),
});

const buyerIds = ({ vatId, otherTaxId }: InvoiceParty): PartyIds => ({
  id: false,
  legal:
    otherTaxId !== null &&
    xml`<ram:SpecifiedLegalOrganization><ram:ID>${otherTaxId}</ram:ID></ram:SpecifiedLegalOrganization>`,
  tax: vatId !== null && vatRegistration(vatId),
});

const vatRegistration = (vatId: string): Markup =>
  xml`<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">${vatId}</ram:ID></ram:SpecifiedTaxRegistration>`;

function partyOf({ name, address, country }: InvoiceParty, { id, legal, tax }: PartyIds): Markup {
  const [first, second, ...more] = address;
  return xml`${id}<ram:Name>${name}</ram:Name>${legal}<ram:PostalTradeAddress>${
    first !== undefined && xml`<ram:LineOne>${first}</ram:LineOne>`
  }${second !== undefined && xml`<ram:LineTwo>${second}</ram:LineTwo>`}${
    more.length > 0 && xml`<ram:LineThree>${more.join(', ')}</ram:LineThree>`
  }<ram:CountryID>${country}</ram:CountryID></ram:PostalTradeAddress>${tax}`;
}

function settlementOf(invoice: EInvoice): Markup {
  const { currency, means, netCents, taxCents, tax, period, terms, corrects } = invoice;
  const total = decimalOf(netCents + taxCents);
  const isPaid = !isSelfBilled(invoice);
  return xml`<ram:ApplicableHeaderTradeSettlement>
<ram:InvoiceCurrencyCode>${currency}</ram:InvoiceCurrencyCode>
<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>${means}</ram:TypeCode></ram:SpecifiedTradeSettlementPaymentMeans>
<ram:ApplicableTradeTax><ram:CalculatedAmount>${decimalOf(taxCents)}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode>${tax.exemption && xml`<ram:ExemptionReason>${tax.exemption.text}</ram:ExemptionReason>`}<ram:BasisAmount>${decimalOf(netCents)}</ram:BasisAmount><ram:CategoryCode>${tax.category}</ram:CategoryCode>${tax.exemption?.code && xml`<ram:ExemptionReasonCode>${tax.exemption.code}</ram:ExemptionReasonCode>`}${rateOf(tax)}</ram:ApplicableTradeTax>
${period && xml`<ram:BillingSpecifiedPeriod><ram:StartDateTime>${dateOf(period.from)}</ram:StartDateTime>${period.to !== null && xml`<ram:EndDateTime>${dateOf(period.to)}</ram:EndDateTime>`}</ram:BillingSpecifiedPeriod>\n`}${terms !== null && xml`<ram:SpecifiedTradePaymentTerms><ram:Description>${terms}</ram:Description></ram:SpecifiedTradePaymentTerms>\n`}<ram:SpecifiedTradeSettlementHeaderMonetarySummation>
<ram:LineTotalAmount>${decimalOf(netCents)}</ram:LineTotalAmount>
<ram:TaxBasisTotalAmount>${decimalOf(netCents)}</ram:TaxBasisTotalAmount>
<ram:TaxTotalAmount currencyID="${currency}">${decimalOf(taxCents)}</ram:TaxTotalAmount>
<ram:GrandTotalAmount>${total}</ram:GrandTotalAmount>
${isPaid && xml`<ram:TotalPrepaidAmount>${total}</ram:TotalPrepaidAmount>\n`}<ram:DuePayableAmount>${isPaid ? '0.00' : total}</ram:DuePayableAmount>
</ram:SpecifiedTradeSettlementHeaderMonetarySummation>
${corrects && xml`<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>${corrects.number}</ram:IssuerAssignedID>${corrects.issued !== null && xml`<ram:FormattedIssueDateTime><qdt:DateTimeString format="102">${corrects.issued.replaceAll('-', '')}</qdt:DateTimeString></ram:FormattedIssueDateTime>`}</ram:InvoiceReferencedDocument>\n`}</ram:ApplicableHeaderTradeSettlement>
`;
}
