import { useState } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import type { ReceiptFor } from '#domain/payments/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { onDemand } from '#web/ui/late.tsx';

/** Most advertisers never open it, so the form loads when it is opened. */
const ReceiptForForm = onDemand(
  'the form',
  'h-64',
  async () => (await import('./receipt-for-form.tsx')).ReceiptForForm,
);

type SectionProps = { ad: Ad; value: ReceiptFor | null; onChange: (value: ReceiptFor | null) => void };

/** Whom the receipt of this payment names. */
export function ReceiptForSection({ ad, value, onChange }: SectionProps) {
  const [isOpen, setOpen] = useState(false);
  const names = [value?.company, value?.name, value?.reference].filter(Boolean).join(', ');
  return (
    <section aria-label="Receipt for" className="grid gap-3 border-t border-line pt-4 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0">
          <span className="block font-medium">Receipt for</span>
          <span className="block wrap-anywhere text-ink-soft">
            <bdi>{value ? names || 'Details below' : 'You, as in Settings › Billing'}</bdi>
          </span>
        </span>
        {!isOpen && (
          <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
            Change
          </Button>
        )}
      </div>
      {isOpen && (
        <ReceiptForForm
          ad={ad}
          value={value}
          onSaved={(saved) => {
            onChange(saved);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}
