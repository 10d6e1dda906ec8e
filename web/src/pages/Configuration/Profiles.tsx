import { type FormEvent, useState } from "react";
import { ask } from "../../api/client";
import type { ProfileEntry } from "../../api/generated/schema";
import { useAction } from "../../api/use-action";
import { useAnswer } from "../../api/use-answer";
import { Await } from "../../components/ui/Await";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { EmptyState } from "../../components/ui/EmptyState";
import { TextField } from "../../components/ui/Field";
import { FilePick } from "../../components/ui/FilePick";
import { Loading } from "../../components/ui/Loading";
import { Notice } from "../../components/ui/Notice";
import { t } from "../../lib/messages";
import { useQuery } from "../../lib/url";
import { nameProblem } from "./names";
import { ProfileView } from "./ProfileView";

/** Profiles: thresholds, chosen metrics, options and weights under a name. */
export function Profiles() {
  const [query, setQuery] = useQuery();
  const profiles = useAnswer("list_profiles", {});
  const [said, setSaid] = useState("");
  /** One that was just made and will be in the list with the next answer. */
  const [awaited, setAwaited] = useState("");
  const done = (words: string, name = "") => {
    setSaid(words);
    setAwaited(name);
    profiles.reload();
    if (name) setQuery({ profile: name, version: null });
  };
  const choose = (name: string) => {
    setSaid("");
    setQuery({ profile: name, version: null }, false);
  };
  return (
    <Await answer={profiles}>
      {(found) => {
        const own = found.filter((profile) => !profile.is_bundled);
        const bundled = found.filter((profile) => profile.is_bundled);
        const chosen = query.profile ? found.find((profile) => profile.name === query.profile) : (own[0] ?? bundled[0]);
        return (
          <div className="split">
            <nav aria-label={t("configuration.profilesTitle")} className="split-list">
              <ProfileList title={t("configuration.yourOwn")} profiles={own} chosen={chosen?.name} onChoose={choose} />
              {own.length === 0 && <p className="muted small">{t("configuration.noneYetCopyABundledOne")}</p>}
              <NewProfile
                taken={found.map(({ name }) => name)}
                onMade={(name) => done(t("configuration.theProfileWasCreated", { name }), name)}
              />
              <ProfileList
                title={t("configuration.bundledProfiles")}
                profiles={bundled}
                chosen={chosen?.name}
                onChoose={choose}
              />
            </nav>
            <div className="stack">
              {said && <Notice tone="good">{said}</Notice>}
              {chosen ? (
                <ProfileView
                  key={chosen.name}
                  newest={chosen}
                  taken={found.map(({ name }) => name)}
                  onDone={done}
                  onRemoved={(words) => {
                    done(words);
                    setQuery({ profile: null, version: null });
                  }}
                />
              ) : query.profile === awaited ? (
                <Loading />
              ) : (
                <EmptyState title={t("configuration.profileNotFound")}>
                  {t("configuration.chooseOneFromTheList")}
                </EmptyState>
              )}
            </div>
          </div>
        );
      }}
    </Await>
  );
}

function ProfileList({
  title,
  profiles,
  chosen,
  onChoose,
}: {
  title: string;
  profiles: readonly ProfileEntry[];
  chosen: string | undefined;
  onChoose: (name: string) => void;
}) {
  return (
    <section>
      <h2 className="nav-group">{title}</h2>
      <ul>
        {profiles.map((profile) => (
          <li key={profile.name}>
            <button
              type="button"
              aria-current={profile.name === chosen || undefined}
              onClick={() => onChoose(profile.name)}
            >
              <span dir="auto">{profile.name}</span>
              {profile.version !== null && <Badge>v{profile.version}</Badge>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NewProfile({ taken, onMade }: { taken: readonly string[]; onMade: (name: string) => void }) {
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState("");
  const make = useAction(async (file: File | null) =>
    ask("save_profile", {
      name,
      body: { ...(file ? { text: await file.text() } : { title: name }), expected_version: 0 },
    }),
  );
  const start = async (file: File | null) => {
    const problem = nameProblem(name, taken);
    setWrong(problem);
    if (problem || !(await make.run(file))) return;
    onMade(name);
    setName("");
  };
  return (
    <details className="more">
      <summary>{t("configuration.newProfile")}</summary>
      <form
        className="form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void start(null);
        }}
      >
        <TextField
          label={t("common.name")}
          value={name}
          dir="ltr"
          maxLength={64}
          placeholder="our-chatbot"
          onChange={setName}
          problem={wrong || make.problem}
        />
        <div className="form-actions">
          <Button type="submit" disabled={make.isBusy}>
            {t("common.makeIt")}
          </Button>
          <FilePick
            label={t("configuration.fromAFile")}
            accept=".toml"
            isDisabled={make.isBusy}
            onPick={([file]) => void start(file!)}
          />
        </div>
      </form>
    </details>
  );
}
