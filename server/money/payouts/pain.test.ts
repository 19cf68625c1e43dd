import { expect, it } from 'vitest';
import { painFile, sepaText } from './pain.ts';

const FILE = {
  messageId: '0123456789abcdef0123456789abcdef',
  madeAt: new Date('2026-07-13T00:00:05.123Z'),
  debtor: { name: 'Zeitung & Söhne', iban: 'DE02100500000054540402' },
  payments: [
    {
      endToEndId: 'P1-aa',
      amountCents: 17_000,
      holder: 'Müller',
      iban: 'DE89370400440532013000',
      text: 'Payout 1',
    },
    { endToEndId: 'P2-bb', amountCents: 5, holder: 'Ελένη', iban: 'NL91ABNA0417164300', text: 'Payout 2' },
  ],
};

// Proves PAYO-202
it('writes the elements in the order of the schema, with their number and sum', () => {
  const xml = painFile(FILE);
  expect([...xml.matchAll(/<(\w+)[ >]/g)].map(([, name]) => name).join(' ')).toBe(
    [
      'Document CstmrCdtTrfInitn GrpHdr MsgId CreDtTm NbOfTxs CtrlSum InitgPty Nm',
      'PmtInf PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf SvcLvl Cd ReqdExctnDt Dt Dbtr Nm DbtrAcct Id IBAN',
      'DbtrAgt FinInstnId Othr Id ChrgBr',
      ...Array<string>(2).fill(
        'CdtTrfTxInf PmtId EndToEndId Amt InstdAmt Cdtr Nm CdtrAcct Id IBAN RmtInf Ustrd',
      ),
    ].join(' '),
  );
  expect(xml.match(/<NbOfTxs>2<\/NbOfTxs><CtrlSum>170\.05<\/CtrlSum>/g)).toHaveLength(2);
  expect(xml).toContain('<CreDtTm>2026-07-13T00:00:05</CreDtTm>');
  expect(xml).toContain('<ReqdExctnDt><Dt>2026-07-13</Dt></ReqdExctnDt>');
  expect(xml).toContain('<InstdAmt Ccy="EUR">0.05</InstdAmt>');
});

// Proves PAYO-202
it.each([
  ['Zeitung & Söhne', 'Zeitung + Sohne'],
  ['Straße <Nr. 5>', 'Strasse Nr. 5'],
  ['Łódź Świętokrzyska', 'Lodz Swietokrzyska'],
  ['Иван Петров', 'Ivan Petrov'],
  ['//a//b/', 'a/b'],
  ['“Curly” – dash', 'Curly - dash'],
  ['\u{1F600}]]>', '-'],
  ['x'.repeat(80), 'x'.repeat(70)],
])('writes %j in the characters of SEPA', (text, written) => {
  const result = sepaText(text, 70);
  expect(result).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]+$/);
  if (written !== '-') expect(result).toBe(written);
});
