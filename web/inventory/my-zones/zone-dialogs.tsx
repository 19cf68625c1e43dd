import { useState } from 'react';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { suggestedDayPrice } from '#domain/inventory/suggested-price.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useForgetDraft } from '#web/ui/forms/drafts.ts';
import { Steps } from '#web/ui/steps.tsx';
import { PricingForm } from './pricing-form.tsx';
import { WEBSITE_DRAFT, WebsiteForm } from './website-form.tsx';
import { zoneDraft, ZoneForm } from './zone-form.tsx';
import { zoneAnchor } from './zone-row.tsx';

export function AddWebsiteDialog({ onClose }: { onClose: () => void }) {
  const forgetDraft = useForgetDraft();

  function cancel() {
    forgetDraft(WEBSITE_DRAFT);
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={cancel}
      title="Add Website"
      description="It appears in the marketplace right away. Next, add ad zones."
    >
      <WebsiteForm onCreated={onClose} />
    </Dialog>
  );
}

const WEBSITE_STEP = 'Add Your Website';
const ZONE_STEP = 'Create Ad Zone';
const PRICING_STEP = 'Set Pricing';

/** Long enough to read the toast that says the pricing was saved. */
const RELOAD_DELAY_MS = 1000;

type CreateZoneDialogProps = {
  websites: readonly Website[];
  /** The website that the zone step preselects. */
  websiteId?: number;
  onClose: () => void;
};

/** Creates an ad zone with its prices, after a website if the publisher has none yet. Reloads the page at the end. */
export function CreateZoneDialog({ websites, websiteId, onClose }: CreateZoneDialogProps) {
  // Fixed while the dialog is open, because `websites` grows before the dialog knows the website that it has created.
  const [steps] = useState(() =>
    websites.length === 0 ? [WEBSITE_STEP, ZONE_STEP, PRICING_STEP] : [ZONE_STEP, PRICING_STEP],
  );
  const forgetDraft = useForgetDraft();
  const [created, setCreated] = useState<{ website?: Website; zone?: AdZone }>({});
  const chosenId = created.website?.id ?? websiteId;
  const step = created.zone
    ? PRICING_STEP
    : created.website || steps[0] === ZONE_STEP
      ? ZONE_STEP
      : WEBSITE_STEP;
  const newWebsites =
    created.website && !websites.some(({ id }) => id === created.website?.id) ? [created.website] : [];

  function cancel() {
    forgetDraft(WEBSITE_DRAFT);
    forgetDraft(zoneDraft(chosenId));
    onClose();
  }

  function finish() {
    onClose();
    // The reloaded page scrolls to the new ad zone and opens its embed code.
    if (created.zone) window.history.replaceState(null, '', `#${zoneAnchor(created.zone)}`);
    setTimeout(() => window.location.reload(), RELOAD_DELAY_MS);
  }

  return (
    <Dialog open onOpenChange={created.zone ? finish : cancel} title={step}>
      <div className="grid gap-6">
        <Steps labels={steps} current={steps.indexOf(step) + 1} />
        {step === WEBSITE_STEP && <WebsiteForm onCreated={(website) => setCreated({ website })} />}
        {step === ZONE_STEP && (
          <ZoneForm
            websites={[...newWebsites, ...websites]}
            websiteId={chosenId}
            onCreated={(zone) => setCreated({ ...created, zone })}
          />
        )}
        {created.zone && (
          <PricingForm
            zone={created.zone}
            suggestion={suggestedDayPrice(created.zone.forecast)}
            onSaved={finish}
            otherAction={
              <Button variant="secondary" onClick={finish}>
                Skip for Now
              </Button>
            }
          />
        )}
      </div>
    </Dialog>
  );
}
