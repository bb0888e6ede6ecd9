import type { McpAuthRequirement } from '@moorage/protocol';
import { useRights } from '../connection/rights.js';
import { visible } from '../ui/visible.js';
import { TokenForm } from './TokenForm.js';

/** Why an MCP server wants a token, and a form for it. */
export function TokenRequest({ need }: { readonly need: McpAuthRequirement }) {
  const lacking = useRights().lacks('steer');
  return (
    <>
      {need.reason !== 'required' && (
        <p className="quiet">
          {need.reason === 'expired' ? 'The token has expired.' : 'The token does not have enough permissions.'}
        </p>
      )}
      {need.description && <p className="quiet">{visible(need.description)}</p>}
      {lacking ? (
        <p className="quiet">Somebody else has to give a token. {lacking}</p>
      ) : (
        <TokenForm resource={need.resource} scopes={need.requiredScopes} />
      )}
    </>
  );
}
