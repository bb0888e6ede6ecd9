import { type Mirror, randomId } from '@moorage/client';
import { type AutomationEntry, type AutomationTriggerDefinition, ROOT_URI } from '@moorage/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { sentenceOf } from '../ui/sentence.js';
import { visible } from '../ui/visible.js';
import { definitionOf, type FormValues, valuesOf } from './form.js';
import { SchedulePreview } from './SchedulePreview.js';

interface Props {
  readonly mirror: Mirror<'automation'>;
  /** Undefined for a new one. */
  readonly entry: AutomationEntry | undefined;
  readonly onClose: () => void;
}

/** Makes or changes an automation. */
export function AutomationForm({ mirror, entry, onClose }: Props) {
  const client = useClient();
  const { state: root } = useChannel('root', ROOT_URI);
  const [values, setValues] = useState(() => valuesOf(entry?.definition, client.hostInfo.defaultDirectory ?? ''));
  const [known, setKnown] = useState<readonly AutomationTriggerDefinition[]>([]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    client
      .request('listAutomationTriggerDefinitions', { channel: ROOT_URI })
      .then(({ items }) => setKnown(items))
      .catch((error: unknown) => setProblem(sentenceOf(error)));
  }, [client]);
  const set = (change: Partial<FormValues>) => setValues((before) => ({ ...before, ...change }));
  const save = async () => {
    const definition = definitionOf(values, entry?.definition, known);
    try {
      if (entry) {
        await mirror.dispatch({ type: 'automation/updateRequested', resource: entry.resource, changes: definition });
      } else {
        const resource = `ahp-automation:/${randomId()}`;
        await mirror.dispatch({ type: 'automation/createRequested', resource, definition });
      }
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const { title, text, when, expression, timeZone, skipsMissed, provider, folder, afterRuns } = values;
  return (
    <form
      className="form automation-form"
      aria-label={entry ? `Change ${entry.definition.title}` : 'New automation'}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label className="field">
        <span>Title</span>
        <input type="text" data-autofocus value={title} onChange={({ target }) => set({ title: target.value })} />
      </label>
      <label className="field">
        <span>What its sessions begin with</span>
        <textarea rows={4} value={text} onChange={({ target }) => set({ text: target.value })} />
      </label>
      <label className="field">
        <span>When</span>
        <select value={when} onChange={({ target }) => set({ when: target.value as FormValues['when'] })}>
          <option value="schedule">By schedule</option>
          <option value="event">When something happens</option>
          <option value="request">Only on request</option>
        </select>
      </label>
      {when === 'schedule' && (
        <>
          <div className="automation-pair">
            <label className="field">
              <span>Schedule</span>
              <input type="text" value={expression} onChange={({ target }) => set({ expression: target.value })} />
            </label>
            <label className="field">
              <span>Time zone</span>
              <input
                type="text"
                list="time-zones"
                value={timeZone}
                onChange={({ target }) => set({ timeZone: target.value })}
              />
              <datalist id="time-zones">
                {TIME_ZONES.map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </label>
          </div>
          <SchedulePreview schedule={{ expression, timeZone }} />
          <label className="check-field">
            <input
              type="checkbox"
              checked={!skipsMissed}
              onChange={({ target }) => set({ skipsMissed: !target.checked })}
            />
            <span>Make up for what was missed while the host did not run, with one run</span>
          </label>
        </>
      )}
      {when === 'event' && <Events known={known} values={values} onChange={set} />}
      <div className="automation-pair">
        <label className="field">
          <span>Agent</span>
          <select value={provider} onChange={({ target }) => set({ provider: target.value })}>
            <option value="">The host's first</option>
            {root?.agents.map((agent) => (
              <option key={agent.provider} value={agent.provider}>
                {visible(agent.displayName)}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>End after so many runs</span>
          <input
            type="number"
            min={1}
            placeholder="never"
            value={afterRuns}
            onChange={({ target }) => set({ afterRuns: target.value })}
          />
        </label>
      </div>
      <label className="field">
        <span>Folder</span>
        <input
          type="text"
          placeholder="file:///…"
          value={folder}
          onChange={({ target }) => set({ folder: target.value })}
        />
      </label>
      {problem && (
        <p className="problem" role="alert">
          {visible(problem)}
        </p>
      )}
      <div className="form-end">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={!title.trim() || !text.trim()}>
          {entry ? 'Save' : 'Make it'}
        </button>
      </div>
    </form>
  );
}

interface EventsProps {
  readonly known: readonly AutomationTriggerDefinition[];
  readonly values: FormValues;
  readonly onChange: (change: Partial<FormValues>) => void;
}

function Events({ known: [definition], values, onChange }: EventsProps) {
  const toggle = (id: string, isOn: boolean) =>
    onChange({ events: isOn ? [...values.events, id] : values.events.filter((other) => other !== id) });
  return (
    <fieldset className="questions">
      <legend className="quiet">{visible(definition?.description ?? '')}</legend>
      {definition?.events.map(({ id, title, description }) => (
        <label key={id} className="check-field">
          <input
            type="checkbox"
            checked={values.events.includes(id)}
            onChange={({ target }) => toggle(id, target.checked)}
          />
          <span>
            {visible(title)} <span className="quiet">{visible(description ?? '')}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const TIME_ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];
