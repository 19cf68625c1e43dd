import type { Settings } from '#domain/accounts/contract.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { SavedField } from '#web/ui/forms/saved-field.tsx';
import { useUpdateSettings } from '../api.ts';

const FIELDS = [
  { name: 'businessName', label: 'Business name', autoComplete: 'organization' },
  { name: 'website', label: 'Website', autoComplete: 'url', type: 'url', placeholder: 'https://' },
] as const;

type BusinessField = (typeof FIELDS)[number]['name'] | 'description';

export function BusinessSettings({ settings }: { settings: Settings }) {
  const update = useUpdateSettings();
  const wiring = (name: BusinessField) => ({
    saved: settings[name] ?? '',
    check: async (text: string) => {
      const { business } = await import('../schemas.ts');
      return business[name].safeParse(text).error?.issues[0]?.message;
    },
    save: (text: string) => update.mutateAsync({ [name]: text }),
  });
  return (
    <Card>
      <CardHeader title="Business" description="For invoices and the people you do business with." />
      <div className="mt-6 grid gap-5 sm:grid-cols-2">
        {FIELDS.map(({ name, label, ...input }) => (
          <SavedField key={name} label={label} input={input} {...wiring(name)} />
        ))}
        <div className="sm:col-span-2">
          <SavedField label="Description" multiline {...wiring('description')} />
        </div>
      </div>
    </Card>
  );
}
