// What a keystroke costs when files are completed in a large folder.
import { keystroke } from './completions/search.mjs';

export function* cases({ smoke }) {
  for (const query of ['main', 'render-', 'zzz', '']) yield keystroke(query, smoke);
}
