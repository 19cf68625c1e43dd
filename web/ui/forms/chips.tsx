import { Button } from '../button.tsx';

type ChipsProps<Value extends string> = {
  label: string;
  choices: readonly { value: Value; title: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** A few short choices in one line, of which one is chosen. */
export function Chips<Value extends string>({ label, choices, value, onChange }: ChipsProps<Value>) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-2">
      {choices.map((choice) => (
        <Button
          key={choice.value}
          variant={choice.value === value ? 'chosen' : 'secondary'}
          size="sm"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.title}
        </Button>
      ))}
    </div>
  );
}
