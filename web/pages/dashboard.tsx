import { useCallback, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { hasBuyerAccess, hasSellerAccess, roleOf, type Role } from '#domain/accounts/roles.ts';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { BuyerDashboard } from './dashboard-buyer.tsx';
import { SellerDashboard } from './dashboard-seller.tsx';
import { PaidBanner } from './paid-banner.tsx';

const SUBTITLES: Record<Role, string> = {
  buyer: 'Manage your campaigns and results',
  seller: 'Manage your ad zones and earnings',
  both: 'Manage your advertising business',
};

/** `paid` is the public id of the ad that was paid for a moment ago. */
type PageState = { tab?: string; paid?: string } | null;

export default function DashboardPage() {
  const { role } = useSignedInUser();
  const buys = hasBuyerAccess(role);
  const paid = usePaidBanner();
  const [editing, stopEditing] = useEditLink();
  const [tab, setTab] = useTab(buys && (paid.isShown || editing !== null));

  return (
    <Page>
      <Tabs
        label="Dashboards"
        head={<PageHeader title="Dashboard" description={SUBTITLES[roleOf(role)]} className="pb-3" />}
        value={tab ?? (hasSellerAccess(role) ? 'seller' : 'buyer')}
        onChange={setTab}
        tabs={[
          ...(hasSellerAccess(role)
            ? [{ value: 'seller', label: 'Seller Dashboard', content: <SellerDashboard /> }]
            : []),
          ...(buys
            ? [
                {
                  value: 'buyer',
                  label: 'Buyer Dashboard',
                  content: <BuyerDashboard editAd={editing} onEditEnd={stopEditing} />,
                },
              ]
            : []),
        ]}
      >
        {paid.isShown && <PaidBanner adRef={paid.adRef} onClose={paid.close} />}
      </Tabs>
    </Page>
  );
}

/** `payment=success` stays in the address until the user closes the banner. The checkout names the ad. [OP-101] */
function usePaidBanner(): { isShown: boolean; adRef: string | undefined; close: () => void } {
  const [params, remove] = useRemovableParams();
  const state = useHistoryState<PageState>();
  const [adRef] = useState(state?.paid);
  return { isShown: params.get('payment') === 'success', adRef, close: () => remove('payment') };
}

/** Removes `editAd={ad}` from the address and keeps its value until the dialog closes. [DASH-B-03] */
function useEditLink(): [string | null, () => void] {
  const [params, remove] = useRemovableParams();
  const inAddress = params.get('editAd');
  const [editing, setEditing] = useState(inAddress);

  if (inAddress !== null && inAddress !== editing) setEditing(inAddress);

  useEffect(() => {
    if (inAddress !== null) remove('editAd');
  }, [inAddress, remove]);

  return [editing, useCallback(() => setEditing(null), [])];
}

/** The query of the address, and a function that removes a parameter without adding a history entry. */
function useRemovableParams(): [URLSearchParams, (name: string) => void] {
  const [params, setParams] = useSearchParams();
  const remove = useCallback(
    (name: string) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete(name);
          return next;
        },
        { replace: true, state: window.history.state as unknown },
      ),
    [setParams],
  );
  return [params, remove];
}

/** Keeps the selected tab in the history entry, so that Back from another page returns to it. */
function useTab(startsAsBuyer: boolean): [string | undefined, (tab: string) => void] {
  const [path, navigate] = useLocation();
  const state = useHistoryState<PageState>();
  const [preset] = useState(startsAsBuyer ? 'buyer' : undefined);
  const setTab = (tab: string) =>
    navigate(path + window.location.search, { replace: true, state: { ...state, tab } });
  return [state?.tab ?? preset, setTab];
}
