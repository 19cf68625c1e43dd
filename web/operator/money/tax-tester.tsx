import { useEffect, useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { countryName, COUNTRY_CODES } from '#domain/countries.ts';
import { calls } from '#domain/operator/console/calls.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { readPrice } from '#domain/price-input.ts';
import type { TaxedBuyerKind } from '#domain/payments/tax-quote.ts';
import { messageOf } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { CURRENCY } from '#web/ui/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';

const BUYERS: readonly { value: TaxedBuyerKind; label: string }[] = [
  { value: 'private', label: 'A private person' },
  { value: 'company', label: 'A company without a tax number' },
  { value: 'company_with_number', label: 'A company with a tax number' },
];

type TaxTesterProps = {
  today: string;
  /** The marketplace's own country. */
  seller: string | null;
  /** A table that is not saved yet; null while it has a mistake. Without it, the table in force. */
  table?: string | null;
};

/** Says what an advertiser pays. The server answers by the rule with which it charges. */
export function TaxTester({ today, seller, table }: TaxTesterProps) {
  const [country, setCountry] = useState(seller ?? 'DE');
  const [buyer, setBuyer] = useState<TaxedBuyerKind>('private');
  const [price, setPrice] = useState('100.00');
  const [day, setDay] = useState(today);
  const amount = amountIn(price);
  const body = useSettled(
    amount === null || day === '' || table === null
      ? null
      : { country, buyer, price: amount, day, ...(table !== undefined && { table }) },
  );
  const { data, error } = useQuery({
    queryKey: [calls.quoteTax.path, body],
    queryFn: async () => await call(calls.quoteTax, { body: body! }),
    enabled: body !== null,
    placeholderData: keepPreviousData,
  });
  return (
    <Card aria-label="Try the table" className="grid gap-4">
      <CardHeader
        title="Try the table"
        description={
          table === undefined
            ? 'What an advertiser pays for an option, and what the receipt says.'
            : 'What an advertiser pays with the table as you have changed it. It isn’t saved yet.'
        }
      />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-[1fr_1.4fr_1fr_1fr]">
        <Field label="Country">
          <CountrySelect value={country} onChange={setCountry} />
        </Field>
        <Field label="Advertiser">
          <Select
            options={BUYERS}
            value={buyer}
            onChange={({ target }) => setBuyer(target.value as TaxedBuyerKind)}
          />
        </Field>
        <Field
          label="Price of the option"
          error={amount === null ? 'Enter a price such as 100.00.' : undefined}
        >
          <Input inputMode="decimal" value={price} onChange={({ target }) => setPrice(target.value)} />
        </Field>
        <Field label="Day of the payment" error={day === '' ? 'Choose a day.' : undefined}>
          <Input type="date" value={day} onChange={({ target }) => setDay(target.value)} />
        </Field>
      </div>
      {table === null ? (
        <Banner tone="warn">Complete the table to try it.</Banner>
      ) : error ? (
        <Banner tone="bad">{messageOf(error, 'Please try again.')}</Banner>
      ) : (
        <p role="status" className="min-h-12 rounded-control bg-sunken px-4 py-3 text-sm wrap-anywhere">
          {(body && data?.sentence) ?? '…'}
        </p>
      )}
    </Card>
  );
}

/** '100' -> '100.00'; null for what is no price. */
function amountIn(typed: string): string | null {
  const amount = readPrice(typed, CURRENCY);
  return amount !== null && /^\d{1,6}(\.\d{1,2})?$/.test(amount) ? decimalOf(centsOf(amount)) : null;
}

/** The value once it has stayed the same for a moment, so that not every letter is a call. */
function useSettled<Value extends object>(value: Value | null): Value | null {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as Value | null;
}

type CountrySelectProps = {
  value: string;
  onChange: (country: string) => void;
  /** Countries that can't be chosen. */
  without?: readonly string[];
};

export function CountrySelect({ value, onChange, without }: CountrySelectProps) {
  return (
    <Select
      placeholder="Choose a country"
      options={COUNTRY_CODES.filter((code) => !without?.includes(code))
        .map((code) => ({ value: code, label: countryName(code) }))
        .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
