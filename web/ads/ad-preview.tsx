import { useLayoutEffect, useRef, type MouseEvent } from 'react';
import type { AdType } from '#domain/ads/types.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import { PageSketch } from '#web/ui/page-sketch.tsx';
import { MISSING_IMAGE } from '#web/ui/picture.tsx';
import { useWidth } from '#web/ui/chart/use-width.ts';
import { paint } from '../../tag/render.ts';

export type Creative = {
  adType: AdType;
  title: string;
  description: string;
  targetUrl: string;
  imageUrl: string | null;
  videoUrl: string | null;
};

type AdPreviewProps = {
  creative: Creative;
  /** Size of the ad zone in pixels. */
  width: number;
  height: number;
  /** The publisher's own ad, which has no 'Ad' mark because it is not paid for. */
  isHouse?: boolean;
};

/** Taller ad zones are scaled down, so that the rest of the form stays visible. */
const MAX_HEIGHT = 600;

/** The ad on a sketched page. The tag's own code paints it, so that publishers approve exactly what visitors see. */
export function AdPreview({ creative, width, height, isHouse = false }: AdPreviewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const availableWidth = useWidth(frame);
  const scale = Math.min(1, availableWidth / width, MAX_HEIGHT / height);
  const served = JSON.stringify(servedAs(creative, width, height, isHouse));

  useLayoutEffect(() => {
    const zone = host.current;
    if (!zone) return;
    const root = zone.shadowRoot ?? zone.attachShadow({ mode: 'open' });
    const media = paint(root, JSON.parse(served) as ServedAd);
    if (media) media.addEventListener('error', () => showMissing(media), { once: true });
  }, [served]);

  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      <PageSketch width={width} height={height}>
        {/* The preview is as wide as this frame was measured. Without containment, the preview would keep the frame
            at that width, and it could never shrink. */}
        <div ref={frame} className="min-w-0 overflow-hidden [contain:inline-size]">
          {/* Clicks inside the preview must not navigate. There is nothing here to use by keyboard. */}
          <div
            role="presentation"
            onClickCapture={preventNavigation}
            style={{ width: width * scale, height: height * scale }}
            className="mx-auto"
          >
            <div
              ref={host}
              data-preview={creative.adType}
              inert={creative.adType !== 'video'}
              // `zoom`, because a transform would blur the thin border around the ad.
              style={{ width, height, zoom: scale }}
            />
          </div>
        </div>
      </PageSketch>
      {scale > 0 && scale < 0.995 && (
        <p className="text-xs text-ink-faint">
          Shown at {Math.round(scale * 100)}% of {width}x{height}
        </p>
      )}
    </div>
  );
}

/** The ad as the ad server would send it. A missing video falls back to its thumbnail, and a missing image to text. */
function servedAs(creative: Creative, width: number, height: number, isHouse: boolean): ServedAd {
  const { adType, title, description, imageUrl, videoUrl } = creative;
  const ad = {
    zone: '',
    width,
    height,
    title: title || 'Your title',
    text: description || 'Your description',
  };
  if (isHouse) return { ...ad, click: window.location.origin, kind: 'house' };
  const links = { click: window.location.origin, why: window.location.origin };
  if (adType === 'video' && videoUrl) {
    return { ...ad, ...links, kind: 'video', src: videoUrl, ...(imageUrl && { poster: imageUrl }) };
  }
  if (adType !== 'text' && imageUrl) return { ...ad, ...links, kind: 'image', src: imageUrl };
  return { ...ad, ...links, kind: 'text' };
}

function showMissing(media: HTMLImageElement | HTMLVideoElement): void {
  if (media instanceof HTMLImageElement) media.src = MISSING_IMAGE;
  else media.poster = MISSING_IMAGE;
}

function preventNavigation(event: MouseEvent): void {
  if (event.nativeEvent.composedPath().some((node) => node instanceof HTMLAnchorElement))
    event.preventDefault();
}
