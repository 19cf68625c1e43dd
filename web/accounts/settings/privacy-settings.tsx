import { useState } from 'react';
import { Download, Trash2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { downloadJson } from '#web/ui/download.ts';
import { useDeleteAccount, useExportData } from '../api.ts';
import { LeftBehind } from './left-behind.tsx';
import { OperatorDecisions, useOwnActs } from './operator-decisions.tsx';

export function PrivacySettings() {
  const exportData = useExportData((data) =>
    downloadJson(`user-data-${new Date().toISOString().slice(0, 10)}.json`, data),
  );
  const deleteAccount = useDeleteAccount();
  const acts = useOwnActs();
  const [asking, setAsking] = useState(false);
  return (
    <div className="grid gap-6">
      <Card>
        <CardHeader
          title="Your data"
          description="Download everything we store about your account as one JSON file."
          actions={
            <Button variant="secondary" busy={exportData.isPending} onClick={() => exportData.mutate()}>
              <Download aria-hidden="true" />
              Export Data
            </Button>
          }
        />
      </Card>
      <OperatorDecisions />
      {/* The list moves it while it is still loading. */}
      <Card className={acts.items || acts.isError ? undefined : 'invisible'}>
        <CardHeader
          title="Delete account"
          description="Deletes your account, your settings, your images and your unpaid ads. You can't undo this."
          actions={
            <Button variant="destructive" onClick={() => setAsking(true)}>
              <Trash2 aria-hidden="true" />
              Delete Account
            </Button>
          }
        />
      </Card>
      <LeftBehind
        error={deleteAccount.error}
        busy={deleteAccount.isPending}
        onConfirm={deleteAccount.mutate}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete your account?"
        confirmLabel="Delete Account"
        destructive
        busy={deleteAccount.isPending}
        onConfirm={() => deleteAccount.mutate({}, { onSettled: () => setAsking(false) })}
      >
        This also deletes your websites, ad zones, settings and images. Paid campaigns stay in other people's
        records without your name. You can't delete your account while campaigns are live, or while earnings,
        refunds or disputes are open.
      </ConfirmDialog>
    </div>
  );
}
