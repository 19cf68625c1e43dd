import {
  deviceText,
  drawingOf,
  type MeasuredPlace,
  placeBasisText,
  placeText,
} from '#domain/delivery/place.ts';

/** Where an ad zone stands on pages, in words and drawn, for each kind of screen. */
export function PlaceFigures({ places }: { places: readonly MeasuredPlace[] }) {
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-x-8 gap-y-4">
        {places.map((place) => (
          <figure key={place.device} className="flex min-w-0 gap-3">
            <PlaceDrawing place={place} />
            <figcaption className="max-w-56 text-sm text-ink-soft">{placeText(place)}</figcaption>
          </figure>
        ))}
      </div>
      <p className="text-sm text-ink-faint">
        {placeBasisText(places)} The dashed line ends the first screen.
      </p>
    </div>
  );
}

/** The page to scale, with the box of the ad zone and the end of the first screen. */
function PlaceDrawing({ place }: { place: MeasuredPlace }) {
  const { width, height, fold, box } = drawingOf(place);
  const across = { x1: 0, x2: width };
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`The ad zone on a page, on ${deviceText(place)}`}
      className="h-32 max-w-40 shrink-0"
    >
      <rect {...{ width, height }} className="fill-sunken stroke-line [vector-effect:non-scaling-stroke]" />
      <rect {...box} className="fill-lit-soft stroke-lit stroke-2 [vector-effect:non-scaling-stroke]" />
      {fold !== null && (
        <line
          {...across}
          y1={fold}
          y2={fold}
          strokeDasharray="4 4"
          className="stroke-ink-faint [vector-effect:non-scaling-stroke]"
        />
      )}
    </svg>
  );
}
