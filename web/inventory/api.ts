import { keepPreviousData, useMutation, useQueries, useQuery } from '@tanstack/react-query';
import type { joinWaitingList } from '#domain/ads/booking-contract.ts';
import { calls } from '#domain/calls.ts';
import type {
  createProduct,
  createWebsite,
  createZone,
  listWebsites,
  previewWebsite,
  setHouseAd,
  updateWebsite,
  updateZone,
  AdZone,
  Product,
  Website,
} from '#domain/inventory/contract.ts';
import type { Input } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { read, readAll } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { RequestError } from '#web/http/request-error.ts';
import { call, callWithFile } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';

type Body<E> = Input<E> extends { body: infer B } ? B : never;
export type MarketplaceFilters = Omit<Input<typeof listWebsites>['query'], 'cursor' | 'limit'>;

export function useMarketplace(filters: MarketplaceFilters, limit = 12) {
  return usePagedList(calls.listWebsites, { keepPrevious: true }, { query: { ...filters, limit } });
}

/** The choices of size and price. Without them, the marketplace has fewer filters. */
export function useFacets() {
  return useQuery({ ...read(calls.getFacets), retry: false });
}

export function useMyWebsites() {
  return useQuery(readAll(calls.listMyWebsites));
}

/** The paid ads of all ad zones of the publisher. */
export function useZoneSales() {
  return useQuery(readAll(calls.listZoneSales));
}

/** An active website; null sends no request. */
export function useWebsite(publicId: string | null) {
  return useQuery({
    ...read(calls.getWebsite, { params: { ref: publicId ?? '' } }),
    enabled: publicId !== null,
  });
}

/** The ad zones of a website: all of them for its owner, otherwise the active ones; null sends no request. */
export function useZones(websitePublicId: string | null) {
  return useQuery({
    ...readAll(calls.listZones, { params: { ref: websitePublicId ?? '' } }),
    enabled: websitePublicId !== null,
  });
}

/**
 * The number of websites, counted from the first, whose ad zones have loaded or failed to load. The list shows only
 * these, so that it grows at its end even if the replies arrive in another order. With `enabled` false, the zones are
 * not needed and no website waits for them.
 */
export function useCountWithZones(websites: readonly Website[], enabled: boolean): number {
  const answers = useQueries({
    queries: websites.map(({ publicId }) => ({
      ...readAll(calls.listZones, { params: { ref: publicId } }),
      enabled,
    })),
  });
  // The section of a website asks again for zones that failed to load. It stays while it does: without it, the list would
  // ask in a circle.
  const missing = enabled ? answers.findIndex(({ isFetched }) => !isFetched) : -1;
  return missing === -1 ? websites.length : missing;
}

/** One of the publisher's own ad zones with its website; `isMissing` if there is none with this id. */
export function useOwnZone(publicId: string) {
  const sales = useZoneSales();
  const found = sales.data?.find((zone) => zone.publicId === publicId);
  const websiteId = found?.websitePublicId ?? null;
  const website = useWebsite(websiteId);
  const zones = useZones(websiteId);
  const zone = zones.data?.find((each) => each.publicId === publicId);
  const asked = [sales, website, zones];
  return {
    zone,
    website: website.data,
    isMissing: (sales.data && !found) || (zones.data && !zone),
    isError: asked.some(({ isError }) => isError),
    retry: () => asked.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch()),
  };
}

/** The pricing options of an ad zone: all of them for its owner, otherwise the active ones; null sends no request. */
export function useProducts(zonePublicId: string | null) {
  return useQuery({
    ...readAll(calls.listProducts, { params: { ref: zonePublicId ?? '' } }),
    enabled: zonePublicId !== null,
  });
}

/** The expected delivery of a quantity of an option; without a quantity, the smallest one. */
export function useZoneAvailability(zonePublicId: string, productId: number, quantity?: number) {
  const query = { product: String(productId), ...(quantity && { quantity: String(quantity) }) };
  return useQuery({
    ...read(calls.getZoneAvailability, { params: { ref: zonePublicId }, query }),
    placeholderData: keepPreviousData,
  });
}

/** The days of an ad zone. Never cached, because somebody may book them at any moment. */
export function useCalendar(zonePublicId: string, range: { from: string; to: string }, enabled = true) {
  return useQuery({
    ...read(calls.getCalendar, { params: { ref: zonePublicId }, query: range }),
    enabled,
    gcTime: 0,
  });
}

export function useJoinWaitingList(zonePublicId: string) {
  return useMutation({
    mutationFn: (body: Body<typeof joinWaitingList>) =>
      call(calls.joinWaitingList, { params: { ref: zonePublicId }, body }),
    onSuccess: ({ position }) => {
      toast({
        title: 'You’re on the waiting list',
        description: `You’re number ${position}. We’ll email you when the days are free.`,
      });
      void queryClient.invalidateQueries(readAll(calls.listWaitingEntries));
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to join the waiting list'),
  });
}

/** Refetches every list and figure that depends on websites, ad zones or prices. [OP-117] */
export async function refreshInventory(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === 'string' && /^\/api\/(websites|ad-zones|analytics\/active-ad-zones)/.test(first),
  });
}

/** Adds a website, and copies its picture from `imageUrl` if its publisher agreed to that. */
export function useCreateWebsite() {
  return useMutation({
    mutationFn: async ({
      website,
      imageUrl,
    }: {
      website: Body<typeof createWebsite>;
      imageUrl: string | null;
    }) => {
      const created = await call(calls.createWebsite, { body: website });
      if (imageUrl !== null) await takePicture(created, imageUrl);
      return created;
    },
    onSuccess: () => {
      toast({ flow: 'ad-zone', title: 'Website created successfully' });
      void refreshInventory();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to create website'),
  });
}

/** A picture that can't be copied doesn't undo the website: it can be uploaded later. */
async function takePicture({ publicId }: Website, imageUrl: string): Promise<void> {
  try {
    await call(calls.takeSitePicture, { params: { ref: publicId }, body: { imageUrl } });
  } catch (error) {
    failureToast(error, 'Picture not copied', 'Upload a picture under Edit website.');
  }
}

/** The website's own description of itself. The form shows why there is no answer. */
export function usePreviewWebsite() {
  return useMutation({
    mutationFn: (body: Body<typeof previewWebsite>) => call(calls.previewWebsite, { body }),
  });
}

export function useUpdateWebsite({ publicId }: Website) {
  return useMutation({
    mutationFn: (body: Body<typeof updateWebsite>) =>
      call(calls.updateWebsite, { params: { ref: publicId }, body }),
    onSuccess: (_reply, { isActive }) => {
      toast({ title: WEBSITE_TITLES[String(isActive)] ?? 'Website saved' });
      return refreshInventory();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to save the website'),
  });
}

const WEBSITE_TITLES: Record<string, string> = { true: 'Website shown', false: 'Website hidden' };

export function useDeleteWebsite() {
  return useMutation({
    mutationFn: ({ publicId }: Website) => call(calls.deleteWebsite, { params: { ref: publicId } }),
    onSuccess: () => {
      toast({ title: 'Website deleted' });
      return refreshInventory();
    },
    onError: (error) => {
      const isInUse = error instanceof RequestError && error.status === 409;
      failureToast(error, isInUse ? 'Cannot Delete Website' : 'Error', 'Failed to delete the website');
    },
  });
}

export function useSetSitePicture({ publicId }: Website) {
  return useMutation({
    mutationFn: (file: File) => callWithFile(calls.setSitePicture, file, { ref: publicId }),
    onSuccess: () => {
      toast({ title: 'Picture saved' });
      return refreshInventory();
    },
  });
}

export function useRemoveSitePicture({ publicId }: Website) {
  return useMutation({
    mutationFn: () => call(calls.removeSitePicture, { params: { ref: publicId } }),
    onSuccess: () => {
      toast({ title: 'Picture removed' });
      return refreshInventory();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to remove the picture'),
  });
}

/** How the publisher proves that a website is theirs, and what our server found. */
export function useVerification(websitePublicId: string) {
  return useQuery(read(calls.getVerification, { params: { ref: websitePublicId } }));
}

export function useVerifyWebsite({ publicId }: Website) {
  const params = { ref: publicId };
  return useMutation({
    mutationFn: () => call(calls.verifyWebsite, { params }),
    onSuccess: (found) => {
      queryClient.setQueryData(read(calls.getVerification, { params }).queryKey, found);
      return refreshInventory();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to verify the website'),
  });
}

export function useCreateZone() {
  return useMutation({
    mutationFn: (body: Body<typeof createZone>) => call(calls.createZone, { body }),
    onSuccess: () => {
      toast({ flow: 'ad-zone', title: 'Ad zone created successfully' });
      void refreshInventory();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to create ad zone'),
  });
}

export function useUpdateZone(zone: AdZone) {
  return useMutation({
    mutationFn: (body: Body<typeof updateZone>) =>
      call(calls.updateZone, { params: { ref: String(zone.id) }, body }),
    onSuccess: (_reply, { name, isActive }) => {
      // The other members have a button that says 'Saved'.
      if (isActive !== undefined) toast({ title: isActive ? 'Ad zone resumed' : 'Ad zone paused' });
      else if (name !== undefined) toast({ title: 'Ad zone renamed' });
      return refreshInventory();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to update ad zone'),
  });
}

export function useSetHouseAd(zone: AdZone) {
  return useMutation({
    mutationFn: (body: Body<typeof setHouseAd>) =>
      call(calls.setHouseAd, { params: { ref: String(zone.id) }, body }),
    onSuccess: refreshInventory,
    onError: (error) => failureToast(error, 'Error', 'Failed to save your own ad'),
  });
}

export function useRemoveHouseAd(zone: AdZone) {
  return useMutation({
    mutationFn: () => call(calls.removeHouseAd, { params: { ref: String(zone.id) } }),
    onSuccess: () => {
      toast({ title: 'Your own ad was removed' });
      return refreshInventory();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to remove your own ad'),
  });
}

export function useDeleteZone() {
  return useMutation({
    mutationFn: (zone: AdZone) => call(calls.deleteZone, { params: { ref: String(zone.id) } }),
    onSuccess: () => {
      toast({ title: 'Ad zone deleted' });
      return refreshInventory();
    },
    onError: (error) => {
      if (error instanceof RequestError && error.status === 409) {
        toast({
          title: 'Cannot Delete Ad Zone',
          description: 'This ad zone has active campaigns. Please wait for them to complete before deleting.',
          variant: 'destructive',
        });
      } else {
        failureToast(error, 'Error', 'Failed to delete ad zone');
      }
    },
  });
}

/** Saves one pricing option. It shows no success toast, because the form saves several and shows one for all. */
export function useCreateProduct() {
  return useMutation({
    mutationFn: (body: Body<typeof createProduct>) => call(calls.createProduct, { body }),
    onError: (error) => failureToast(error, 'Error', 'Failed to create product'),
  });
}

export function useUpdateProduct() {
  return useMutation({
    mutationFn: ({ product, isActive }: { product: Product; isActive: boolean }) =>
      call(calls.updateProduct, { params: { id: String(product.id) }, body: { isActive } }),
    onSuccess: (_reply, { isActive }) => {
      toast({ title: isActive ? 'Pricing option offered again' : 'Pricing option withdrawn' });
      return refreshInventory();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to update pricing option'),
  });
}

/** Submitted ads keep their price. The server rejects an ad that is then submitted with the old price (409). */
export function useChangePrice() {
  return useMutation({
    mutationFn: ({ product, price }: { product: Product; price: string }) =>
      call(calls.updateProduct, { params: { id: String(product.id) }, body: { price } }),
    onSuccess: () => {
      toast({ title: 'Price changed' });
      return refreshInventory();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to change the price'),
  });
}
