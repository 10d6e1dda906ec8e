from assay.data import profile


def test_a_profile_that_was_edited_is_read_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for threshold in (0.5, 0.6):
        (tmp_path / "ours.toml").write_text(f'[thresholds]\n"text.safety" = {threshold}\n')
        assert profile("ours.toml").thresholds == {"text.safety": threshold}
    assert profile("balanced") is profile("balanced")
