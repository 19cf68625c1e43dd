import { AccessNote } from '#web/accounts/access-note.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';

// Not part of the page's own file, because what it shares with the dashboard would weigh on every page.
const ResultsContent = onDemand(
  'the results',
  'h-dvh',
  async () => (await import('./results/results-content.tsx')).ResultsContent,
);

/** What a publisher's ad zones bring, and what they could bring. */
export default function ResultsPage() {
  return (
    <Page>
      <PageHeader title="Results" description="What your ad zones bring, and what they could bring." />
      <AccessNote needs="seller" />
      <ResultsContent />
    </Page>
  );
}
