import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/operator/console/calls.ts';
import { holds, ROLE_WORDS } from '#domain/operator/rights.ts';
import { read } from '#web/http/query.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ConsolePage } from '../parts/console-page.tsx';
import { useOperator } from '../parts/operator.ts';
import { SettingsForm } from './settings-form.tsx';

/** All settings of the marketplace, saved together. */
export default function SettingsPage() {
  const query = useQuery(read(calls.listMarketplaceSettings));
  const { role } = useOperator();
  const canChange = holds(role, 'owner');
  return (
    <ConsolePage
      title="Settings"
      what="the settings"
      query={query}
      description="Every running server follows a change within two seconds, and the audit trail keeps it. What a server needs to start stays in its environment."
    >
      {({ settings }) => (
        <>
          {!canChange && (
            <Banner title="You can read the settings, and not change them">
              {ROLE_WORDS[role]}. Only an owner can change settings.
            </Banner>
          )}
          <SettingsForm settings={settings} canChange={canChange} />
        </>
      )}
    </ConsolePage>
  );
}
