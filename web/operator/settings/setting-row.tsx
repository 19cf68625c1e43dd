import type { SettingReply } from '#domain/operator/console/settings-contract.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { SwitchRow } from '#web/ui/forms/switch.tsx';
import { type Edit, shownValue } from './edits.ts';
import { PictureField } from './picture-field.tsx';
import { SettingControl } from './setting-control.tsx';

export type SettingRowProps = {
  setting: SettingReply;
  edit: Edit | undefined;
  /** Whether saving would change it. */
  isChanged: boolean;
  error: string | undefined;
  /** Whether the operator may change settings. */
  canChange: boolean;
  /** Null for the default. */
  onChange: (value: string | null) => void;
  onUndo: () => void;
};

/** A setting: its field, where its value comes from, and the way back. The address leads to it by its name. */
export function SettingRow(props: SettingRowProps) {
  const { setting, isChanged } = props;
  return (
    <li
      id={setting.name}
      className={cn(
        'grid scroll-mt-24 gap-2 px-inset py-4',
        isChanged && 'bg-accent-soft/30 shadow-[inset_3px_0_0_var(--color-accent)]',
      )}
    >
      <Control {...props} />
      <Footer {...props} />
    </li>
  );
}

function Control({ setting, edit, error, canChange, onChange }: SettingRowProps) {
  const { name, title, help, input, source, fallback } = setting;
  const isDisabled = !canChange || source === 'environment';
  const value = shownValue(setting, edit);
  const aside = <span title={name}>{SOURCES[source]}</span>;
  if (input === 'switch')
    return (
      <div className="-my-4 grid" title={name}>
        <SwitchRow
          label={title}
          hint={help}
          checked={value === 'on'}
          disabled={isDisabled}
          onChange={(isOn) => onChange(isOn ? 'on' : 'off')}
        />
        {error && (
          <p role="alert" className="pb-4 text-sm text-bad">
            {error}
          </p>
        )}
      </div>
    );
  if (input === 'file')
    return (
      <div role="group" aria-label={title} className="grid gap-2">
        <div className="flex items-baseline justify-between gap-4">
          <p className="min-w-0 text-sm font-medium wrap-anywhere" title={name}>
            <bdi>{title}</bdi>
          </p>
          <span className="text-xs text-ink-faint">{aside}</span>
        </div>
        <PictureField title={title} value={value} isDisabled={isDisabled} error={error} onChange={onChange} />
        <p className="text-xs text-ink-faint">{help}</p>
      </div>
    );
  return (
    <Field
      label={
        <bdi title={name} className="wrap-anywhere">
          {title}
        </bdi>
      }
      hint={help}
      error={error}
      aside={aside}
    >
      <SettingControl
        setting={setting}
        // The field of an emptied text stays empty, and shows what is in force then.
        value={edit === undefined || isChosen(input) ? value : (edit.value ?? '')}
        placeholder={fallback ?? undefined}
        isDisabled={isDisabled}
        onChange={onChange}
      />
    </Field>
  );
}

const isChosen = (input: SettingReply['input']) => input === 'choice' || input === 'country';

const SOURCES: Record<SettingReply['source'], string> = {
  default: 'Default',
  database: 'Set here',
  environment: 'Environment',
};

function Footer({ setting, isChanged, canChange, onChange, onUndo }: SettingRowProps) {
  const { title, source, fallback } = setting;
  if (source === 'environment')
    return (
      <p className="text-xs text-ink-soft">
        Set in the environment of the server. To change it here, remove it from the environment and restart
        the server.
      </p>
    );
  if (!canChange || (!isChanged && source === 'default')) return null;
  return (
    <div className="flex items-baseline gap-x-4 text-xs text-ink-soft">
      {isChanged && (
        <>
          <Button variant="link" size="inline" aria-label={`Undo: ${title}`} onClick={onUndo}>
            Undo
          </Button>
          <span className="min-w-0 wrap-anywhere">Was: {wordsOf(setting, setting.value)}</span>
        </>
      )}
      {!isChanged && source === 'database' && (
        <>
          <Button
            variant="link"
            size="inline"
            aria-label={`Use the default: ${title}`}
            onClick={() => onChange(null)}
          >
            Use the default
          </Button>
          <span className="min-w-0 wrap-anywhere">{wordsOf(setting, fallback)}</span>
        </>
      )}
    </div>
  );
}

/** A value in one short line. */
function wordsOf({ input }: SettingReply, value: string | null): string {
  if (value === null) return 'none';
  if (input === 'file') return 'the stored picture';
  const line = value.replaceAll('\n', ', ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
