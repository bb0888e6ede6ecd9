import { AgentError, type AgentTurn } from '@moorage/host/ports';

/** UTF-16 units of rules that an agent gets. */
const MAX_RULES_CHARS = 32_000;

/** Rules for every message that the agent cannot find by itself: those of the host's or a client's plugins. Empty for none. */
export async function rulesForAgent(turn: AgentTurn): Promise<string> {
  const { rules } = await turn.customizations();
  let text = '';
  for (const rule of rules) {
    if (!rule.alwaysApply || (rule.origin !== 'plugin' && rule.origin !== 'client')) continue;
    const said = await rule.text().catch(gone);
    const section = said ? `<instructions from="${rule.plugin ?? rule.name}">\n${said}\n</instructions>\n` : '';
    if (text.length + section.length <= MAX_RULES_CHARS) text += section;
  }
  return text;
}

function gone(error: unknown): undefined {
  if (!(error instanceof AgentError)) throw error;
}
