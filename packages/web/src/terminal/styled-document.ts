/**
 * The document as xterm.js gets it. xterm writes `<style>` elements and `style` attributes, which the policy of the page
 * forbids, because text that becomes style could come from anywhere. The same rules set through the style sheet objects
 * are code of ours and allowed, so this hands out elements that do it that way.
 */
export function styledDocument(): Document {
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') return createElement;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function createElement(tag: string): HTMLElement {
  if (tag === 'style') return sheetElement();
  const element = document.createElement(tag);
  if (tag !== 'span') return element;
  element.setAttribute = (name: string, value: string) => {
    if (name === 'style') element.style.cssText = value;
    else Element.prototype.setAttribute.call(element, name, value);
  };
  return element;
}

/** Looks like a `<style>` to who fills it, and is a style sheet of the document as long as it is not removed. */
function sheetElement(): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = document.createElement('i');
  element.hidden = true;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text), get: () => '' });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}
