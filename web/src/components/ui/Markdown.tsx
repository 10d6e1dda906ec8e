import { type Inline, parseMarkdown } from "../../lib/markdown";
import { IN_ENGLISH } from "../../lib/messages";

/** A metric's documentation, made of plain elements: no links, pictures or markup of its own. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose" {...IN_ENGLISH}>
      {parseMarkdown(text).map((block, index) => {
        if (block.kind === "code")
          return (
            <pre key={index} tabIndex={0}>
              <code>{block.text}</code>
            </pre>
          );
        if (block.kind === "list")
          return (
            <ul key={index}>
              {block.items.map((item, place) => (
                <li key={place}>
                  <Parts parts={item} />
                </li>
              ))}
            </ul>
          );
        return (
          <p key={index}>
            <Parts parts={block.parts} />
          </p>
        );
      })}
    </div>
  );
}

function Parts({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => {
    if (part.kind === "code") return <code key={index}>{part.text}</code>;
    if (part.kind === "strong") return <strong key={index}>{part.text}</strong>;
    return part.text;
  });
}
