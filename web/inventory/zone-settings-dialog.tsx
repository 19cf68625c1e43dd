import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { updateZone, type AdZone } from '#domain/inventory/contract.ts';
import { unitPriceText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { describeZone } from '#domain/inventory/zones.ts';
import { centsOf } from '#domain/money.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { SwitchRow } from '#web/ui/switch.tsx';
import { useProducts, useUpdateProduct, useUpdateZone } from './api.ts';
import { PricingForm } from './pricing-form.tsx';
import { priceLine } from './zone-prices.tsx';

/** Name, pause and prices of a zone (OP-071). */
export function ZoneSettingsDialog({ zone, onClose }: { zone: AdZone; onClose: () => void }) {
  const pause = useUpdateZone(zone);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Zone Settings"
      description={`${zone.name}: ${describeZone(zone)}`}
    >
      <div className="grid gap-6">
        <RenameForm zone={zone} />
        <div className="border-y border-line">
          <SwitchRow
            label="Active"
            hint="An inactive zone shows no ads, and nobody can book it. Its campaigns wait."
            checked={zone.isActive}
            disabled={pause.isPending}
            onChange={(isActive) => pause.mutate({ isActive })}
          />
        </div>
        <section className="grid gap-3">
          <h3 className="font-medium">Prices</h3>
          <PriceList zone={zone} />
        </section>
        <section className="grid gap-3">
          <h3 className="font-medium">Set Pricing</h3>
          <PricingForm zone={zone} onSaved={() => {}} />
        </section>
      </div>
    </Dialog>
  );
}

const nameSchema = bodyOf(updateZone).pick({ name: true }).required();

function RenameForm({ zone }: { zone: AdZone }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(nameSchema),
    defaultValues: { name: zone.name },
    // What the server has made of it becomes the new starting point.
    values: { name: zone.name },
  });
  const rename = useUpdateZone(zone);
  return (
    <form
      noValidate
      onSubmit={handleSubmit((body) => rename.mutate(body))}
      className="flex items-start gap-2"
    >
      <Field label="Ad zone name" error={formState.errors.name?.message} className="flex-1">
        <Input maxLength={200} {...register('name')} />
      </Field>
      <Button
        type="submit"
        variant="secondary"
        busy={rename.isPending}
        disabled={!formState.isDirty}
        className="mt-7"
      >
        Rename
      </Button>
    </form>
  );
}

function PriceList({ zone }: { zone: AdZone }) {
  const { data: products, isError, refetch } = useProducts(zone.publicId);
  const update = useUpdateProduct();
  if (isError) return <LoadError what="the prices" onRetry={refetch} />;
  if (!products) return <Skeleton className="h-12" />;
  if (products.length === 0) {
    return <p className="text-sm text-ink-faint">None yet: buyers cannot book this zone.</p>;
  }
  return (
    <ul className="divide-y divide-line rounded-card border border-line">
      {products.map((product) => (
        <li key={product.id} className="flex items-center justify-between gap-4 px-4 py-3">
          <div className="grid min-w-0 text-sm">
            <span className={product.isActive ? 'font-medium' : 'text-ink-faint line-through'}>
              {priceLine(product)}
            </span>
            <span className="text-ink-faint">{unitPriceText(centsOf(product.price), planOf(product))}</span>
          </div>
          <div className="flex shrink-0 items-center gap-2 max-sm:flex-col max-sm:items-end">
            {!product.isActive && <Badge>Withdrawn</Badge>}
            <Button
              variant="quiet"
              size="sm"
              busy={update.isPending && update.variables.product.id === product.id}
              onClick={() => update.mutate({ product, isActive: !product.isActive })}
            >
              {product.isActive ? 'Withdraw' : 'Offer again'}
              <span className="sr-only">{priceLine(product)}</span>
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
