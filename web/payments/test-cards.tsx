import { ChevronDown } from 'lucide-react';
import { SANDBOX_CARDS } from '#domain/payments/sandbox-cards.ts';
import { Button } from '#web/ui/button.tsx';
import { groupDigits } from './card-fields.ts';

/** The sandbox's test cards, folded; selecting one fills the form. */
export function TestCards({ onUse }: { onUse: (number: string) => void }) {
  return (
    <details aria-label="Test cards" className="group rounded-control border border-line text-sm">
      <summary className="flex cursor-pointer list-none items-center justify-between gap-3 rounded-control px-3 py-2.5 font-medium hover:bg-sunken [&::-webkit-details-marker]:hidden">
        Test cards
        <ChevronDown aria-hidden="true" className="size-4 text-ink-faint group-open:rotate-180" />
      </summary>
      <table className="w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Result</th>
            <th scope="col">Use this card</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {SANDBOX_CARDS.map(({ number, label }) => (
            <tr key={number} className="max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:py-1.5">
              <td className="figures py-1 pr-3 pl-3 whitespace-nowrap sm:py-1.5">{groupDigits(number)}</td>
              <td className="py-1 pr-3 text-ink-soft max-sm:row-start-2 max-sm:pl-3 sm:py-1.5">{label}</td>
              <td className="text-right max-sm:row-span-2">
                <Button variant="quiet" size="sm" onClick={() => onUse(number)}>
                  Use
                  <span className="sr-only">card {groupDigits(number)}</span>
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
