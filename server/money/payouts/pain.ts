/** A file of SEPA credit transfers: pain.001.001.09 of ISO 20022, within the limits of the EPC's implementation guidelines. */
import anyAscii from 'any-ascii';
import { SEPA_CURRENCY } from '#domain/payments/limits.ts';
import { decimalOf } from '#domain/money.ts';
import { utcDay } from '#domain/time.ts';

export type Payment = {
  endToEndId: string;
  amountCents: number;
  holder: string;
  iban: string;
  /** The text that the receiver reads. */
  text: string;
};

export type Transfers = {
  /** Identifies the file at the bank, in at most 35 characters. */
  messageId: string;
  madeAt: Date;
  debtor: { name: string; iban: string };
  /** At least one. */
  payments: readonly Payment[];
};

const MAX_NAME = 70;
const MAX_TEXT = 140;

/**
 * Returns the file as text. Amounts are euros. The bank shows each payment as a line of its own (BtchBookg), so that its
 * statement says which one it paid. [PAYO-202]
 */
export function painFile({ messageId, madeAt, debtor, payments }: Transfers): string {
  const name = element('Nm', sepaText(debtor.name, MAX_NAME));
  const count = element('NbOfTxs', String(payments.length));
  const sum = element(
    'CtrlSum',
    decimalOf(payments.reduce((cents, { amountCents }) => cents + amountCents, 0)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr>${element('MsgId', messageId)}${element('CreDtTm', madeAt.toISOString().slice(0, 19))}${count}${sum}<InitgPty>${name}</InitgPty></GrpHdr>
<PmtInf>${element('PmtInfId', messageId)}<PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg>${count}${sum}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
<ReqdExctnDt>${element('Dt', utcDay(madeAt))}</ReqdExctnDt><Dbtr>${name}</Dbtr>${account('DbtrAcct', debtor.iban)}
<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>
${payments.map(paymentElement).join('\n')}
</PmtInf>
</CstmrCdtTrfInitn></Document>
`;
}

function paymentElement({ endToEndId, amountCents, holder, iban, text }: Payment): string {
  return `<CdtTrfTxInf><PmtId>${element('EndToEndId', endToEndId)}</PmtId><Amt><InstdAmt Ccy="${SEPA_CURRENCY}">${decimalOf(amountCents)}</InstdAmt></Amt><Cdtr>${element('Nm', sepaText(holder, MAX_NAME))}</Cdtr>${account('CdtrAcct', iban)}<RmtInf>${element('Ustrd', sepaText(text, MAX_TEXT))}</RmtInf></CdtTrfTxInf>`;
}

const account = (name: string, iban: string) => `<${name}><Id>${element('IBAN', iban)}</Id></${name}>`;

/** Values are of the SEPA character set, which has nothing to escape. */
const element = (name: string, value: string) => `<${name}>${value}</${name}>`;

/**
 * Writes a text in the characters that every bank of SEPA takes (EPC217-08): Latin letters without accents, digits, and
 * some signs. A text may not begin or end with a slash, or have two of them in a row. Never empty.
 */
export function sepaText(text: string, longest: number): string {
  const written = anyAscii(text.normalize('NFC'))
    .replaceAll('&', '+')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]+/g, ' ')
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/ {2,}/g, ' ')
    .slice(0, longest)
    .replaceAll(/^[/ ]+|[/ ]+$/g, '');
  return written === '' ? '-' : written;
}
