import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { canPush, choosePush, type PushChoice, pushChoice } from '../connection/push.js';
import { Icon } from '../ui/Icon.js';
import { showFailure } from '../ui/toasts.js';

/** Chooses what this browser is notified of while no page is open. */
export function PushSwitch() {
  const client = useClient();
  const [choice, setChoice] = useState(pushChoice);
  const [busy, setBusy] = useState(false);
  if (!canPush()) return null;
  const choose = async (next: PushChoice) => {
    setBusy(true);
    try {
      await choosePush(client, next);
      setChoice(next);
    } finally {
      setBusy(false);
    }
  };
  return (
    <label className="sessions-foot" title="This browser then stays signed in">
      <Icon name="bell" />
      When closed
      <select
        value={choice}
        disabled={busy}
        onChange={(event) => showFailure(choose(event.target.value as PushChoice))}
      >
        <option value="nothing">tell me nothing</option>
        <option value="needsYou">tell me what needs me</option>
        <option value="all">and what is done</option>
      </select>
    </label>
  );
}
