/** A sentence in which commands are between backticks. */
export function WithCode({ sentence }: { sentence: string }) {
  return [...sentence.matchAll(/`([^`]*)`|[^`]+/g)].map(({ index, 0: part, 1: command }) =>
    command === undefined ? (
      <bdi key={index}>{part}</bdi>
    ) : (
      <code key={index} translate="no" className="rounded-tight bg-sunken px-1 py-0.5 text-xs text-ink">
        {command}
      </code>
    ),
  );
}
