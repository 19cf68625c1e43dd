import { Card, CardHeader } from '#web/ui/card.tsx';

const STEPS = [
  ['Submit for approval', 'The publisher approves your ad or tells you what to change.'],
  [
    'Pay once approved',
    'You pay by card, or we charge the card that you saved. We don’t charge you before that.',
  ],
  ['Go live', 'Your ad is shown as soon as you’ve paid.'],
] as const;

export function NextSteps() {
  return (
    <Card aria-label="Next Steps">
      <CardHeader title="Next Steps" className="mb-4" />
      <ol className="grid gap-3">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="flex gap-3 text-sm">
            <span
              aria-hidden="true"
              className="figures grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
            >
              {index + 1}
            </span>
            <span>
              <span className="block font-medium">{title}</span>
              <span className="block text-ink-soft">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
