import { SANDBOX_CARDS } from '#domain/payments/sandbox-cards.ts';
import { Button } from '#web/ui/button.tsx';
import { groupDigits } from './card-fields.ts';

/** The sandbox's test cards; selecting one fills the form. */
export function TestCards({ onUse }: { onUse: (number: string) => void }) {
  return (
    <section aria-label="Test cards" className="grid gap-2">
      <h3 className="text-sm font-medium">Test cards</h3>
      <table className="w-full text-sm">
        <thead className="sr-only">
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Result</th>
            <th scope="col">Use this card</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line">
          {SANDBOX_CARDS.map(({ number, label }) => (
            <tr key={number} className="max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:py-1.5">
              <td className="figures py-1 pr-3 whitespace-nowrap sm:py-1.5">{groupDigits(number)}</td>
              <td className="py-1 pr-3 text-ink-soft max-sm:row-start-2 sm:py-1.5">{label}</td>
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
    </section>
  );
}
