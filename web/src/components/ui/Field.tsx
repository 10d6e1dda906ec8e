import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from "react";
import "./field.css";

interface Described {
  label: ReactNode;
  /** What is to be known before filling it in. */
  hint?: ReactNode;
  /** What is wrong with what stands there. */
  problem?: string;
}

/** The ids that tie a control to its hint and its problem. */
function useTies({ hint, problem }: Pick<Described, "hint" | "problem">) {
  const id = useId();
  const ids = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return {
    id,
    control: { id, "aria-describedby": ids || undefined, "aria-invalid": problem ? true : undefined } as const,
  };
}

function Notes({ id, hint, problem }: { id: string } & Pick<Described, "hint" | "problem">) {
  return (
    <>
      {problem && (
        <span id={`${id}-problem`} className="problem small" role="alert" dir="auto">
          {problem}
        </span>
      )}
      {hint && (
        <span id={`${id}-hint`} className="muted tiny">
          {hint}
        </span>
      )}
    </>
  );
}

interface TextFieldProps extends Described, Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  value: string;
  onChange: (value: string) => void;
  inputRef?: Ref<HTMLInputElement>;
}

/** One line of text, or a number. */
export function TextField({
  label,
  hint,
  problem,
  value,
  onChange,
  inputRef,
  className = "",
  ...rest
}: TextFieldProps) {
  const { id, control } = useTies({ hint, problem });
  return (
    <div className={`field ${className}`}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        dir="auto"
        autoComplete="off"
        {...rest}
        {...control}
        ref={inputRef}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  );
}

interface TextAreaProps extends Described, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange" | "value"> {
  value: string;
  onChange: (value: string) => void;
  /** Buttons beside the label. */
  tools?: ReactNode;
  isCode?: boolean;
}

/** Text of any length. */
export function TextArea({
  label,
  hint,
  problem,
  value,
  onChange,
  tools,
  isCode = false,
  className = "",
  ...rest
}: TextAreaProps) {
  const { id, control } = useTies({ hint, problem });
  return (
    <div className={`field area ${className}`}>
      <span className="field-head">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        {tools && <span className="field-tools">{tools}</span>}
      </span>
      <textarea
        dir="auto"
        spellCheck={!isCode}
        autoComplete="off"
        rows={4}
        {...rest}
        {...control}
        className={isCode ? "code" : ""}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <Notes id={id} hint={hint} problem={problem} />
    </div>
  );
}

/** A box to tick. */
export function Checkbox({
  label,
  hint,
  isChecked,
  onChange,
  isDisabled,
}: {
  label: ReactNode;
  hint?: ReactNode;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  isDisabled?: boolean;
}) {
  const { id, control } = useTies({ hint });
  return (
    <div className="check">
      <input
        type="checkbox"
        {...control}
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id} dir="auto">
        {label}
      </label>
      <Notes id={id} hint={hint} />
    </div>
  );
}
